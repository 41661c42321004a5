/** The `METRICS_TOKEN` of the shops of tests. */
export const monitorToken = 'what-the-monitor-of-the-tests-shows'

/** What a monitor sends along to read figures, and why the shop is not ready. */
export const monitorHeaders = { authorization: `Bearer ${monitorToken}` }
