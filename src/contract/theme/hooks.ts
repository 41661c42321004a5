/**
 * What the scripts of the page's frame look up, and the classes that say what it is doing: themes and their scripts know
 * them by these names. None of it is needed before somebody is there.
 */

export const headerHooks = {
  /** Sticks; printed with how it does so on wide and on other screens. */
  header: '.site-header[data-sticky-desktop]',
  /** What becomes lower where it shrinks. */
  row: '.site-header__bar',
  fixedClass: 'item-is-fixed',
  atStartClass: 'item-at-start',
  stuckClass: 'item-is-stuck',
  hiddenClass: 'item-hidden-above',
  parentClass: 'child-is-fixed',
  bodyClass: 'header-is-fixed',
  /** Windows too low to give room away. */
  lowWindow: '(max-height: 500px)',
  adminBar: 'body.admin-bar, #wpadminbar',
} as const

export const subMenuHooks = {
  item: '.menu-item-has-children',
  list: '.sub-menu',
  openItemClass: 'menu-item--toggled-on',
  openListClass: 'toggle-show',
  edgeClass: 'sub-menu-edge',
  /** Opened by the mouse alone, and closed when it leaves. */
  bar: '.site-nav',
} as const

export const anchorHooks = {
  link: 'a[href*="#"]:not([href="#"], .scroll-ignore, [data-tab], [data-toggle], [data-toggle-target])',
  /** Has a way of its own to show what it leads to. */
  tab: '[role=tab], [role=tab] *, :has(> [role=tab])',
  off: '.no-anchor-scroll',
  tabPanel: '[role=tabpanel]',
} as const

export const topHooks = {
  link: '.scroll-to-top',
  shownClass: 'scroll-visible',
  lead: '#main',
} as const
