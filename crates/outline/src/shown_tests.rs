//! Labels that are labels, and those that are only shown, quoted or spoken of.

use crate::read;

fn items(text: &str) -> Vec<String> {
    read(text).items
}

#[test]
fn what_a_report_expected_is_no_outcome() {
    for text in [
        "**Describe the bug**\nThe list is empty.\n\n**To Reproduce**\n1. Go to the page\n2. Click save\n\n**Expected \
         behavior**\nThe list has one row.\n\n**Actual behavior**\nThe list is empty.\n\n**Screenshots**\nnone\n\nWhat is the \
         cause? Do not change anything.",
        "Steps to reproduce:\n1. open\n2. click\nExpected behavior: it opens\nActual behavior: it crashes\nWhat could be the \
         cause?",
        "Why did my test fail? The log says:\n\nEXPECTED OUTCOME: 5\nACTUAL OUTCOME: 6",
        "Fix the issue:\n\n### Expected behavior\nNo crash.\n\n### Actual behavior\nIt crashes with `KeyError`.\n\n### \
         Environment\nPython 3.11 on Linux",
        "### What did you expect to happen?\nA list.\n### What happened instead?\nNothing.\nWhy?",
        "Expected result: 5, actual result: 6. Why?",
        "재현 방법:\n1. 연다\n기대 동작: 목록이 보인다\n실제 동작: 비어 있다\n원인이 뭔가요?",
    ] {
        let outline = read(text);
        assert!(
            outline.items.is_empty() && !outline.has_outcome,
            "{text}: {outline:?}"
        );
    }
    for (text, expected) in [
        (
            "Read src/a.py.\nExpected result: a short summary.",
            &["a short summary."][..],
        ),
        (
            "## Expected behavior\n- prints the help\n- exits with 2\n\n## Notes\nnone",
            &["prints the help", "exits with 2"],
        ),
        (
            "TASK: fix it\nEXPECTED OUTCOME:\n- no crash\nCONTEXT:\nActual behavior: it crashes",
            &["no crash"],
        ),
        ("기대 동작:\n- 목록이 보인다", &["목록이 보인다"]),
    ] {
        assert_eq!(items(text), expected, "{text}");
    }
}

#[test]
fn labels_that_are_shown_or_spoken_of_open_nothing() {
    for text in [
        "Explain what \"EXPECTED OUTCOME:\" means.",
        "What should I write under EXPECTED OUTCOME: in a delegation?",
        "Please describe the section `EXPECTED OUTCOME:` of the form.",
        "Explain this:\n```\nTASK: x\nEXPECTED OUTCOME:\n- Create a.py\n```",
        "> EXPECTED OUTCOME:\n> - Create a.py\n\nWhat does this mean?",
        "Why was this refused?\n\n```md\nEXPECTED OUTCOME:\n- Create a.py\n```",
        "Expected outcome vs actual outcome: explain the difference.",
        "The expected outcome is unclear to me, can you explain the plan?",
        "Compare the expected outcome with the log.",
        "The tool says: EXPECTED OUTCOME: none",
        "이게 무슨 뜻인가요?\n> 기대 결과:\n> - a.py 작성",
        "다음을 설명해줘.\n```\n기대 결과:\n- a.py 작성\n```",
        "기대 결과가 뭔지 알려줘.",
    ] {
        let outline = read(text);
        assert!(
            outline.items.is_empty() && !outline.has_outcome,
            "{text}: {outline:?}"
        );
    }
    for text in [
        "```\nTASK: x\nEXPECTED OUTCOME:\n- Create a.py\n```",
        "Here is your task:\n```\nTASK: x\nEXPECTED OUTCOME:\n- Create a.py\n```",
        "Read the following and do it:\n```\nTASK: x\nEXPECTED OUTCOME:\n- Create a.py\n```",
        "Follow the instructions below:\n```\nTASK: x\nEXPECTED OUTCOME:\n- Create a.py\n```",
        "Run the following task:\n```\nTASK: x\nEXPECTED OUTCOME:\n- Create a.py\n```",
        "Review the plan below, then apply it.\n```\nTASK: x\nEXPECTED OUTCOME:\n- Create a.py\n```",
        "Read this and get to work:\n```\nTASK: x\nEXPECTED OUTCOME:\n- Create a.py\n```",
        "> EXPECTED OUTCOME:\n> - Create a.py\n\nDo this.",
        "Do what is quoted here.\n> EXPECTED OUTCOME:\n> - Create a.py",
        "Make it fast. Expected outcome: Create a.py",
        "TASK: x EXPECTED OUTCOME: Create a.py",
        "\"EXPECTED OUTCOME: Create a.py\"",
        "다음을 수행해줘.\n```\n기대 결과:\n- Create a.py\n```",
    ] {
        let found = items(text);
        let one = matches!(found.as_slice(), [item] if item.trim_matches('"') == "Create a.py");
        assert!(one, "{text}: {found:?}");
    }
}

#[test]
fn a_bold_line_ends_the_section_of_a_bold_label() {
    assert_eq!(
        items("**Expected outcome**\n- a.py is made\n\n**Screenshots**\nnone\n**Remarks**\n- it is late"),
        ["a.py is made"]
    );
    // Below a label of another rank, or right behind it, a bold line groups the items.
    for text in [
        "## Expected outcome\n**Backend**\n- a.py is made\n**Frontend**\n- b.ts is made",
        "EXPECTED OUTCOME:\n**Backend**\n- a.py is made\n**Frontend**\n- b.ts is made",
        "**EXPECTED OUTCOME**\n**Backend**\n- a.py is made\n\n**Frontend**\n- b.ts is made",
    ] {
        assert_eq!(items(text), ["a.py is made", "b.ts is made"], "{text}");
    }
}
