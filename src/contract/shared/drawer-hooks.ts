/** Hooks used once a drawer opens; its toggles are in `hooks.ts`. */
export const openDrawerHooks = {
  activeClass: 'active',
  settledClass: 'pop-animated',
  /** A selected link in it closes it. */
  menu: '.menu-drawer',
} as const

/** The field with suggestions: the shop's own, not part of the public interface. */
export const searchHooks = {
  field: 'input[data-suggestions]',
  /** The container of suggestions, below the field's form. */
  place: '.search-suggestions',
  /** The text announced after loading. */
  announcement: '[data-announcement]',
  /** On a field whose suggestions have started. */
  startedAttribute: 'data-started',
} as const
