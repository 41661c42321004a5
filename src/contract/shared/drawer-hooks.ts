/** Hooks used once a drawer opens; its toggles are in `hooks.ts`. */
export const openDrawerHooks = {
  activeClass: 'active',
  settledClass: 'pop-animated',
  /** A selected link in it closes it. */
  menu: '.menu-drawer',
} as const
