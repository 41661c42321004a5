/** Hooks of the currency switcher, see `hooks.ts`. Needed after the first user activity. */
export const currencyHooks = {
  /** The form; its data attributes contain the page's currency and the shop's own. */
  switcher: '[data-currencies]',
  list: '.currency-switcher__list',
  optionClass: 'currency-switcher__option',
  triggerClass: 'currency-switcher__trigger',
  presentClass: 'currency-switcher__present',
  loaderClass: 'currency-switcher__loader',
  /** States, as third-party themes style them. */
  openClass: 'open',
  upwardsClass: 'upwards',
  selectedClass: 'selected',
  activeClass: 'active',
  /** The name of the field and of the cookie. */
  name: 'currency',
} as const

/** A list opens upwards if less than this is free below it and more above, in CSS pixels. */
export const leastRoom = 250
