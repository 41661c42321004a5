/**
 * Lifetime of an emailed link for a new password or a verification. A later reader of the mailbox finds no valid link,
 * and a new one is easy to request.
 */
export const mailedLinkLifeMs = 30 * 60_000
