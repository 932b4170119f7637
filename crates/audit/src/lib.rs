//! Old transcripts through the gates: metrics, worst examples, reports.
