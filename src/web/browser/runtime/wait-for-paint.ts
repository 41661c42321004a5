/**
 * Resolves once the page has been laid out and painted: measuring then forces no additional layout. A hidden tab is not
 * painted; there it resolves after a timeout.
 */
export function waitForPaint(): Promise<void> {
  return new Promise((resolve) => {
    const soon = () => setTimeout(resolve)
    requestAnimationFrame(soon)
    setTimeout(soon, 250)
  })
}
