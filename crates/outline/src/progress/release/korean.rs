//! The same in Korean.

use super::Reader;
use crate::list::{has_any, listed};
use crate::progress::update;
use crate::text::slice;

impl Reader<'_> {
    pub(super) fn korean(&mut self, lower: &str, sentence: &str) {
        const OMITS: &str = "잊지 마|잊지 말|빠뜨리지|빼먹지|건너뛰지|취소하지 마|취소하지 말|무시하지 마|빼지 마|빼지 말|생략하지 마|면 안|아니|다면|으면|라면|라고|다고|거든|느라";
        const DROPS: &str = "안 해도|하지 않아도|안해도|필요 없|필요없|필요는 없|하지 마|하지마|하지 말|하지말|그만|빼줘|빼 줘|빼고|빼자|빼세|빼주|빼 주|\
            뺍시다|제외해|제외하|생략해|생략하|건너뛰|넘어가|넘어갑|취소|됐어|됐습|관둬|잊어|말아 줘|말아줘|말아 주";
        if has_any!(lower, OMITS) || sentence.ends_with(['?', '？']) {
            return;
        }
        let person = ["제가", "내가", "저희가", "우리가"]
            .iter()
            .find_map(|who| lower.find(who).map(|at| (at, who.len())));
        if let Some((at, length)) = person {
            let before = slice(lower, 0, at);
            let behind = slice(lower, at + length, lower.len());
            let takes = has_any!(behind, "할게|할께|하겠|할 거|할거|맡을|맡겠");
            let did = has_any!(behind, "했|끝냈|썼|고쳤|만들었|처리했")
                && !has_any!(behind, "못했|않았|안 했|부탁|요청|말했|검토|확인|리뷰|읽");
            if !takes && !did {
                return;
            }
            let object = if before.trim().is_empty() { behind } else { before };
            let found = self.meant_korean(object);
            if takes {
                self.out.dropped.extend(&found);
            } else {
                self.out.done.extend(&found);
            }
            if !found.is_empty() {
                self.topic = found;
            }
            return;
        }
        let mark = DROPS
            .split('|')
            .map(str::trim)
            .filter_map(|mark| lower.find(mark).map(|at| (at, mark)))
            .min();
        if let Some((mark, _)) =
            mark.filter(|(at, mark)| is_predicate(mark, slice(lower, at + mark.len(), lower.len())))
        {
            let found = self.meant_korean(slice(lower, 0, mark));
            self.out.dropped.extend(&found);
            if !found.is_empty() {
                self.topic = found;
            }
        }
    }

    /// The open items that a Korean object means.
    fn meant_korean(&self, object: &str) -> Vec<usize> {
        let open = self.open();
        let object = object.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '.'));
        let mut nouns: Vec<&str> = object
            .split_whitespace()
            .filter(|w| !matches!(*w, "그냥" | "이제" | "직접" | "이미" | "더" | "작업" | "작업은"))
            .collect();
        // What the person did stands before the verb; the verb itself says nothing of it.
        if nouns
            .last()
            .is_some_and(|last| has_any!(last, "했|할게|할께|하겠|썼|고쳤|끝냈|만들었|처리"))
        {
            nouns.pop();
        }
        let plain = |word: &str| {
            let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            ["은", "는", "을", "를", "이", "가", "도", "만"]
                .iter()
                .find_map(|particle| word.strip_suffix(particle))
                .unwrap_or(word)
                .to_owned()
        };
        let bare: Vec<String> = nouns.iter().map(|word| plain(word)).collect();
        if !bare.is_empty()
            && bare.iter().all(|w| {
                listed!(
                    "전부|모두|다|나머지|나머지도|그거|그것|모든|것|항목|전체|목록",
                    w.as_str()
                )
            })
            && bare
                .iter()
                .any(|w| listed!("전부|모두|다|나머지|나머지도|전체|목록", w.as_str()))
        {
            return open;
        }
        // "로그의 나머지": of something else.
        if bare
            .iter()
            .any(|w| listed!("전부|모두|다|나머지|나머지도|모든|전체", w.as_str()))
        {
            return Vec::new();
        }
        if bare
            .iter()
            .all(|w| listed!("그|그거|그것|그건|그|이건|이거|항목|거|건", w.as_str()))
        {
            return self
                .topic
                .iter()
                .copied()
                .filter(|at| open.contains(at))
                .collect();
        }
        let told = format!("{} 완료했습니다.", bare.join(" "));
        let after = update(self.items, &told, &[]);
        open.into_iter()
            .filter(|at| after.get(*at).is_some_and(|item| item.completed))
            .collect()
    }
}

/// Whether a Korean word of dropping is what its sentence says (취소해 줘, 필요 없어요, 빼고), and not part of a noun or of what is
/// said of one (취소 기능, 필요 없는 코드).
fn is_predicate(mark: &str, behind: &str) -> bool {
    if mark.ends_with('고') || behind.starts_with('고') {
        return true;
    }
    let rest = behind.trim_end_matches(|c: char| !c.is_alphanumeric());
    let modifies = ["는", "은 ", "할", "한 ", "된 ", "되는", "던"]
        .iter()
        .any(|end| rest.starts_with(end));
    let noun = matches!(mark, "취소" | "그만")
        && !(rest.is_empty()
            || ["해", "하", "합", "둬", "두"]
                .iter()
                .any(|verb| rest.trim_start().starts_with(verb)));
    !modifies && !noun && rest.chars().count() <= 10
}
