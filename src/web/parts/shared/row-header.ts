/** A row header for screen readers; scripts and themes expect a `td` there, so it cannot be a `th`. */
export const rowHeader = { role: 'rowheader' }
