"""The tool that looks up exchange rates; resources hold its schemas: they name the currencies that are traded."""

from axhub.toolkit import tool, tool_hint
from insurance_tools.biz.smp.converter.exchange import to_http_request, to_response
from insurance_tools.biz.smp.dto.exchange import ExchangeInquiryRequest, ExchangeInquiryResponse
from insurance_tools.infra.http.exchange.client import ExchangeClient


@tool(
    name="smp_exchange_inquiry",
    title="환율 조회",
    description="통화와 기준일로 고시 환율(매매기준율, 살 때, 팔 때)을 조회합니다.",
)
@tool_hint(
    category_key="smp",
    mapping_id="SMEXNB00001",
    input_schema_resource="tool_schemas/smp/exchange-inquiry-input-schema.json",
    output_schema_resource="tool_schemas/smp/exchange-inquiry-output-schema.json",
)
async def inquire_exchange(request: ExchangeInquiryRequest, client: ExchangeClient) -> ExchangeInquiryResponse:
    """Look up the rates of one currency."""
    return to_response(await client.inquire(to_http_request(request)))
