//! Roles of paths in Korean clauses.

use super::{Clause, Role};
use crate::list::has_any;
use crate::paths::Mention;
use crate::text::{entries, slice};

impl<'a> Clause<'a> {
    pub(super) fn after(&self, mention: &Mention) -> &'a str {
        slice(self.text, mention.end, self.to)
    }

    pub(super) fn korean_bars(&self, mention: &Mention) -> bool {
        let after = self.after(mention).trim_start_matches(['`', '"', '\'']);
        !after.starts_with("의 ") || after.starts_with("의 파일")
    }

    pub(super) fn korean_role(&self, mention: &Mention, bars: bool) -> Option<Role> {
        let after = self.after(mention).trim_start_matches(['`', '"', '\'']);
        let near: String = after.chars().take(12).collect();
        let prohibited = bars || is_korean_ban(after);
        // Only when no other object stands between the path and what is said of it.
        const APART: &str = "외에|외의|외 |이외|밖의|밖에|말고는|제외한|제외하고|제외하면|빼고|아닌";
        if has_any!(&near, APART) {
            return Some(if prohibited {
                Role::Expected
            } else if has_any!(&near, "제외|빼고") {
                Role::Excluded
            } else {
                Role::Expected
            });
        }
        if near.trim_start().starts_with("말고") || near.contains(" 말고") && near.chars().count() < 12 {
            return Some(Role::Excluded);
        }
        if has_any!(after, "대신") && has_any!(&near, "대신") {
            return Some(Role::Mentioned);
        }
        let possessive = (near.starts_with("의 ")
            && !has_any!(&near, "의 파일|의 모든|의 코드|의 내용|의 어떤"))
            || near.starts_with("에 있는") && !near.contains("파일");
        let only = near.starts_with("만") || has_any!(&near, "파일만|하나만|에만|에서만|까지만|폴더만");
        if is_korean_ban(after) && !only {
            return Some(if possessive {
                Role::Mentioned
            } else {
                Role::Excluded
            });
        }
        if has_any!(
            after,
            "제외|그대로 두|그대로 둔|그대로 둡|그대로 놔|그대로 유지|읽기 전용|동결|손대지|건드리지|수정 불가|변경 불가",
        ) && !only
        {
            return Some(if possessive && !after.contains("제외") {
                Role::Mentioned
            } else {
                Role::Excluded
            });
        }
        if only {
            return Some(Role::Expected);
        }
        const REFERENCE: &str = "참고|참조|처럼|와 동일|과 동일|와 같|과 같|같은 방식|같은 패턴|기준으로|에 따라|에 따른|\
            대로 |기반으로|에 설명|에 정의|에 기술|에 나온|에 적힌|에 적혀|에 정리된|방식으로|패턴을|\
            스타일";
        if has_any!(&near, REFERENCE) || has_any!(after, "참고하|참고해|참조하|참조해|참고.|참고)")
        {
            return Some(Role::Mentioned);
        }
        // `README.md: 정책 설명` is a heading, not something to read.
        let heads = near.starts_with([':', '：']) || near.trim_start().starts_with(['-', '–', '—', ':']);
        const READING: &str = "분석|검토|조사|설명|읽|살펴|확인|실행|이해|파악|요약|리뷰";
        if !heads
            && has_any!(after, READING)
            && !is_korean_change(after)
            && !has_any!(after, "보고서를|에 작성|에 저장")
        {
            let read_at = entries(READING)
                .filter_map(|w| after.find(w))
                .min()
                .unwrap_or(usize::MAX);
            if slice(after, 0, read_at).chars().count() <= 14 {
                return Some(Role::Mentioned);
            }
        }
        None
    }
}

/// Whether the text asks for a change, in Korean.
pub(crate) fn is_korean_change(text: &str) -> bool {
    has_any!(
        text,
        "수정|변경|추가|작성|구현|생성|만들|만드|삭제|제거|리팩토링|리팩터링|옮기|옮겨|이동|교체|\
            갱신|업데이트|고치|고쳐|바꾸|바꿔|바뀌|정리|분리|개선|최신화|반영|적용|도입|늘려|늘리|줄여|\
            줄이|올려|올리|낮춰|낮추|통합|이름|해결|보완|대체|마이그레이션|번역|채우|채워|넣어|넣기|\
            빼기|지원|허용|리네임|문서화|포맷|재작성|재생성",
    )
}

/// Whether the text forbids a change, in Korean.
pub(crate) fn is_korean_ban(text: &str) -> bool {
    let verb = [
        "수정",
        "변경",
        "건드",
        "손대",
        "손을 대",
        "바꾸",
        "고치",
        "삭제",
        "편집",
        "만지",
        "터치",
        "추가",
        "작성",
        "생성",
        "커밋",
        "옮기",
        "지우",
        "덮어",
    ];
    let Some(at) = verb.iter().filter_map(|v| text.find(v)).min() else {
        return false;
    };
    let rest = slice(text, at, text.len());
    let rest: String = rest.chars().take(40).collect();
    has_any!(
        &rest,
        "지 마|지마|지 말|지말|지 않|지않|면 안|서는 안|금지|불가|말 것|말것|말아|안 됩|안 된|안됩|안 돼|않습니다|않는다|않음|없이",
    )
}
