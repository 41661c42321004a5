/** Names the row for a screen reader; scripts and themes look for a `td` there, so it cannot be a `th`. */
export const rowHeader = { role: 'rowheader' }
