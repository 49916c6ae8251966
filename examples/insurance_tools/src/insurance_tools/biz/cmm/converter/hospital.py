"""Between hospitals as agents see them and the rows of a telegram."""

from insurance_tools.biz.cmm.dto.hospital import HospitalItem, HospitalSearchRequest, HospitalSearchResponse
from insurance_tools.infra.mci.cfpa.io.hspinb00001 import HSPINB00001_I, HSPINB00001_O, HospitalRow


def to_mci_request(request: HospitalSearchRequest) -> HSPINB00001_I:
    """Return the question as a telegram."""
    return HSPINB00001_I(rgn_nm=request.region)


def to_response(answer: HSPINB00001_O) -> HospitalSearchResponse:
    """Return the hospitals in the order of their codes."""
    items = [_to_item(row) for row in sorted(answer.rows, key=lambda row: row.hsp_cd)]
    return HospitalSearchResponse(items=items, has_more=answer.more_yn == "Y")


def _to_item(row: HospitalRow) -> HospitalItem:
    return HospitalItem(
        hospital_code=row.hsp_cd,
        hospital_code_label=row.hsp_nm,
        location=row.adr,
        claims_for_patients=row.agnt_yn == "Y",
    )
