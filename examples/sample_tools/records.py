"""What the sample insurer knows. Every person and number here is invented."""

from typing import Any, Final

Record = dict[str, Any]

CONTRACTS: Final[dict[str, Record]] = {
    "2023-0001234": {
        "contractNo": "2023-0001234",
        "productName": "무배당 든든한 건강보험",
        "status": {"code": "ACTIVE", "label": "정상"},
        "policyholder": {"customerNo": "10004321", "name": "김하늘"},
        "insured": [{"name": "김하늘", "relation": "본인"}, {"name": "이바다", "relation": "배우자"}],
        "period": {"from": "2023-03-02", "to": "2063-03-01"},
        "monthlyPremium": 84500,
        "sumInsured": 300000000,
        "ledgerNo": 9007199254740993,
        "riders": [
            {"code": "CANCER", "label": "암 진단 특약", "sumInsured": 30000000},
            {"code": "STROKE", "label": "뇌졸중 진단 특약", "sumInsured": 20000000},
        ],
    },
    "2019-0000777": {
        "contractNo": "2019-0000777",
        "productName": "마음편한 운전자보험",
        "status": {"code": "LAPSED", "label": "실효"},
        "policyholder": {"customerNo": "10009876", "name": "박새벽"},
        "insured": [{"name": "박새벽", "relation": "본인"}],
        "period": {"from": "2019-11-15", "to": "2039-11-14"},
        "monthlyPremium": 21900,
        "sumInsured": 50000000,
        "ledgerNo": 9007199254741779,
        "riders": [],
    },
}

CLAIMS: Final[list[Record]] = [
    {
        "claimNo": "C-2025-000318",
        "customerNo": "10004321",
        "contractNo": "2023-0001234",
        "receivedOn": "2025-06-11",
        "status": {"code": "REVIEWING", "label": "심사 중"},
        "accident": {"kind": "INJURY", "summary": "계단에서 넘어져 손목 골절"},
        "paidAmount": None,
    },
    {
        "claimNo": "C-2024-004410",
        "customerNo": "10004321",
        "contractNo": "2023-0001234",
        "receivedOn": "2024-10-02",
        "status": {"code": "PAID", "label": "지급"},
        "accident": {"kind": "DISEASE", "summary": "폐렴 입원 5일"},
        "paidAmount": 1250000,
    },
    {
        "claimNo": "C-2024-001007",
        "customerNo": "10004321",
        "contractNo": "2023-0001234",
        "receivedOn": "2024-02-19",
        "status": {"code": "REJECTED", "label": "부지급"},
        "accident": {"kind": "DISEASE", "summary": "보장 제외 질병"},
        "paidAmount": 0,
    },
]

BRANCHES: Final[dict[str, list[Record]]] = {
    "SEOUL": [
        {
            "name": {"ko": "강남 고객센터", "en": "Gangnam customer centre"},
            "address": {"ko": "서울특별시 강남구 가상로 12", "en": "12 Gasang-ro, Gangnam-gu, Seoul"},
            "phone": "02-0000-1200",
            "hours": [
                {"days": ["MON", "TUE", "WED", "THU"], "open": "09:00", "close": "18:00"},
                {"days": ["FRI"], "open": "09:00", "close": "16:00"},
            ],
        },
        {
            "name": {"ko": "종로 고객센터", "en": "Jongno customer centre"},
            "address": {"ko": "서울특별시 종로구 상상길 3", "en": "3 Sangsang-gil, Jongno-gu, Seoul"},
            "phone": "02-0000-1300",
            "hours": [{"days": ["MON", "TUE", "WED", "THU", "FRI"], "open": "09:00", "close": "17:00"}],
        },
    ],
    "BUSAN": [
        {
            "name": {"ko": "해운대 고객센터", "en": "Haeundae customer centre"},
            "address": {"ko": "부산광역시 해운대구 모형로 45", "en": "45 Mohyeong-ro, Haeundae-gu, Busan"},
            "phone": "051-000-2200",
            "hours": [{"days": ["MON", "WED", "FRI"], "open": "10:00", "close": "17:00"}],
        }
    ],
    "JEJU": [],
}

RATES: Final[dict[str, float]] = {"HLT": 0.00082, "LIF": 0.00121, "CAR": 0.00037}
RIDER_RATES: Final[dict[str, float]] = {"CANCER": 0.00055, "STROKE": 0.00042, "INJURY": 0.00018}
