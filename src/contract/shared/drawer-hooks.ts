/** What is looked up once a drawer opens; what leads to one is in `hooks.ts`. */
export const openDrawerHooks = {
  activeClass: 'active',
  settledClass: 'pop-animated',
  /** Cannot be reached while a drawer that is no modal dialog stands before it. */
  behind: '.skip-link, .site-header, main, .site-footer, .languages--floating, .scroll-to-top, .bottom-bars',
  /** A link chosen in it closes it. */
  menu: '.menu-drawer',
} as const
