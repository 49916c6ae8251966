"""Between common codes as agents see them and as the code system keeps them."""

from insurance_tools.biz.cmm.dto.comcode import ComcodeItem, ComcodeLookupRequest, ComcodeLookupResponse
from insurance_tools.infra.http.comcode.io import ComcodeGroupBody, ComcodeQuery


def to_http_request(request: ComcodeLookupRequest) -> ComcodeQuery:
    """Return the question to the code system."""
    return ComcodeQuery(grpCd=request.group_code)


def to_response(body: ComcodeGroupBody) -> ComcodeLookupResponse:
    """Return the codes in the order of their values."""
    items = [
        ComcodeItem(code=row.cd, code_label=row.cdNm, in_use=row.useYn == "Y")
        for row in sorted(body.cdList, key=lambda row: row.cd)
    ]
    return ComcodeLookupResponse(group_code=body.grpCd, group_code_label=body.grpNm, items=items)
