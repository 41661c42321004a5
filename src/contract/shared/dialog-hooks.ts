/** Hooks of every open dialog: drawers and modal windows. */
export const dialogHooks = {
  /** On the root element: the page does not scroll. */
  openClass: 'modal-open',
  /** The page's own parts, inert behind a dialog. A payment provider's windows are none of them and stay usable. */
  behind: '.skip-link, .site-header, main, .site-footer, .languages--floating, .scroll-to-top, .bottom-bars',
} as const
