"""What agents send and get when they ask for a contract."""

from typing import Annotated, Literal

from axhub.toolkit import Desc, Input, Output, masked, output_schema

ContractStatus = Literal["ACTIVE", "LAPSED", "ENDED", "UNKNOWN"]
Cycle = Literal["MONTHLY", "YEARLY", "ONCE", "UNKNOWN"]


class InsuranceRequest(Input):
    """Which contract to look up."""

    contract_no: Annotated[str, Desc("계약번호", example="2023-0001234", pattern="^[0-9]{4}-[0-9]{7}$")]


class Premium(Output):
    """What is paid, and how often."""

    amount: Annotated[int, Desc("1회 납입 보험료(원)")]
    cycle: Annotated[Cycle, Desc("납입 주기 코드. 알려지지 않은 주기이면 UNKNOWN")]
    cycle_label: Annotated[str, Desc("납입 주기 한글명")]
    account_no: Annotated[
        str | None,
        Desc("자동이체 계좌번호. 자동이체를 쓰지 않으면 null"),
        masked("고객이 어느 계좌에서 출금되는지 끝자리로 확인한다"),
    ]


class Coverage(Output):
    """One coverage of a contract."""

    name: Annotated[str, Desc("보장 이름")]
    limit_amount: Annotated[int, Desc("보장 한도(원)")]
    ends_on: Annotated[str | None, Desc("보장 종료일(YYYY-MM-DD). 종신 보장이면 종료일이 없어 null이다.")]


@output_schema
class InsuranceResponse(Output):
    """One contract."""

    contract_no: Annotated[str, Desc("계약번호")]
    product_name: Annotated[str, Desc("상품 이름")]
    status: Annotated[ContractStatus, Desc("계약 상태 코드. 알려지지 않은 상태이면 UNKNOWN")]
    status_label: Annotated[str, Desc("계약 상태 한글명")]
    premium: Annotated[Premium, Desc("보험료와 납입 방법")]
    coverages: Annotated[list[Coverage], Desc("보장 목록. 보장 한도 내림차순, 최대 30건")]
    has_more: Annotated[bool, Desc("30건을 넘어 보장 목록이 잘렸으면 true")]
