/**
 * Resolves once the page has been laid out and painted: whoever measures then makes nobody wait for a layout of its own. A tab
 * that nobody sees is not painted; there it resolves after a while.
 */
export function waitForPaint(): Promise<void> {
  return new Promise((resolve) => {
    const soon = () => setTimeout(resolve)
    requestAnimationFrame(soon)
    setTimeout(soon, 250)
  })
}
