/** What had the focus is gone with its bar: it goes on at the page's content, where it is. */
export function hideBar(bar: HTMLElement): void {
  const focused = bar.contains(document.activeElement)
  bar.hidden = true
  if (focused) document.querySelector('main')?.focus({ preventScroll: true })
}
