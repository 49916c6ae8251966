"""Hospitals that work with the insurer. Names have syllables that KS X 1001 lacks, so the code page is CP949."""

from typing import Annotated

from axhub.toolkit.mci import Filler, Layout, Num, Rows, Text


class HSPINB00001_I(Layout, id="HSPINB00001", charset="cp949", size=40):
    """The question."""

    rgn_nm: Annotated[str, Text(40)]  # 지역명


class HospitalRow(Layout):
    """One hospital."""

    hsp_cd: Annotated[str, Text(8)]  # 병원코드
    hsp_nm: Annotated[str, Text(30)]  # 병원명
    adr: Annotated[str, Text(60)]  # 주소
    agnt_yn: Annotated[str, Text(1)]  # 청구대행여부


class HSPINB00001_O(Layout, id="HSPINB00001", charset="cp949", size=999):
    """The answer: always room for ten hospitals, of which `row_cnt` are used."""

    row_cnt: Annotated[int, Num(3)] = 0  # 건수
    rows: Annotated[list[HospitalRow], Rows(10, count="row_cnt")]
    more_yn: Annotated[str, Text(1)]  # 다음 건 여부
    filler: Annotated[None, Filler(5)] = None
