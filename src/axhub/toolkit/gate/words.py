"""What the gate itself says, in both languages; the findings bring their own words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from axhub.toolkit.check.report import Language

__all__ = ["WORDS", "Words"]


@dataclass(frozen=True, slots=True)
class Words:
    """Sentences with `{…}` to fill in."""

    closed: str
    """The last line of a build that fails."""
    one_error: str
    errors: str
    faults: str
    unusable: str
    no_table: str
    other: str
    """Files whose content was not checked."""
    lacking: str
    """Files that were checked and that the service needs."""
    outside: str
    """Code beside the package, which no check sees."""

    def count(self, errors: int) -> str:
        """Return how many errors stand."""
        return self.one_error if errors == 1 else self.errors.format(errors=errors)


WORDS: Final[Mapping[Language, Words]] = {
    "en": Words(
        closed="axhub: {name} is not built: {reason}",
        one_error="1 error stands. Mend it and build again; `axhub check` shows it too.",
        errors="{errors} errors stand. Mend them and build again; `axhub check` shows them too.",
        faults="a rule could not be decided.",
        unusable="it cannot be checked, see above.",
        no_table="its pyproject.toml has no table [tool.axhub]; add that line, an empty table will do.",
        other=(
            "the wheel has files that are not those that were checked: {paths}. Let the hook axhub be the last one in "
            "pyproject.toml, put nothing into the package from elsewhere, and delete old output of builds."
        ),
        lacking="the wheel lacks files that were checked: {paths}. Include them in the wheel, or delete them.",
        outside=(
            "the wheel holds code outside the package: {paths}. The check sees only the package: move the code into "
            "{package}, or leave it out of the wheel."
        ),
    ),
    "ko": Words(
        closed="axhub: {name}: 빌드하지 않았습니다. {reason}",
        one_error="오류가 1건 있습니다. 고친 뒤 다시 빌드하십시오. `axhub check`로도 볼 수 있습니다.",
        errors="오류가 {errors}건 있습니다. 고친 뒤 다시 빌드하십시오. `axhub check`로도 볼 수 있습니다.",
        faults="판정하지 못한 규칙이 있습니다.",
        unusable="검사할 수 없습니다. 위의 내용을 보십시오.",
        no_table="pyproject.toml에 [tool.axhub] 표가 없습니다. 그 줄을 추가하십시오. 비어 있어도 됩니다.",
        other=(
            "wheel에 검사하지 않은 내용의 파일이 있습니다: {paths}. pyproject.toml에서 axhub 훅을 맨 뒤에 두고, 다른 "
            "곳의 파일을 패키지에 넣지 말고, 이전 빌드의 산출물을 지우십시오."
        ),
        lacking="검사한 파일이 wheel에 없습니다: {paths}. wheel에 포함하거나 지우십시오.",
        outside=(
            "wheel에 패키지 밖의 코드가 있습니다: {paths}. 검사는 패키지만 봅니다. 코드를 {package} 패키지 안으로 "
            "옮기거나 wheel에서 빼십시오."
        ),
    ),
}
