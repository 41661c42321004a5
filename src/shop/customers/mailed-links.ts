/**
 * For so long a link opens what it was mailed for: a new password, or an address that is confirmed. Whoever reads a mailbox later
 * finds nothing to use in it, and a new link is a press away.
 */
export const mailedLinkLifeMs = 30 * 60_000
