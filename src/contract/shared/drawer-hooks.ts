/** Hooks used once a drawer opens; its toggles are in `hooks.ts`. */
export const openDrawerHooks = {
  activeClass: 'active',
  settledClass: 'pop-animated',
  /** Blocked while a drawer that is no modal dialog is open. */
  behind: '.skip-link, .site-header, main, .site-footer, .languages--floating, .scroll-to-top, .bottom-bars',
  /** A selected link in it closes it. */
  menu: '.menu-drawer',
} as const
