/**
 * Hooks of the scripts of the page's frame, and its state classes: themes and their scripts know these names. None is
 * needed before user activity.
 */

export const headerHooks = {
  /** Sticky; printed with its behaviour on wide and on other screens. */
  header: '.site-header[data-sticky-desktop]',
  /** The row that shrinks. */
  row: '.site-header__bar',
  fixedClass: 'item-is-fixed',
  atStartClass: 'item-at-start',
  stuckClass: 'item-is-stuck',
  hiddenClass: 'item-hidden-above',
  parentClass: 'child-is-fixed',
  bodyClass: 'header-is-fixed',
  /** Windows too low for a large header. */
  lowWindow: '(max-height: 500px)',
  adminBar: 'body.admin-bar, #wpadminbar',
} as const

export const subMenuHooks = {
  item: '.menu-item-has-children',
  list: '.sub-menu',
  openItemClass: 'menu-item--toggled-on',
  openListClass: 'toggle-show',
  edgeClass: 'sub-menu-edge',
  /** Opened by hover only, and closed when the mouse leaves. */
  bar: '.site-nav',
} as const

export const anchorHooks = {
  link: 'a[href*="#"]:not([href="#"], .scroll-ignore, [data-tab], [data-toggle], [data-toggle-target])',
  /** Tabs show their target themselves. */
  tab: '[role=tab], [role=tab] *, :has(> [role=tab])',
  off: '.no-anchor-scroll',
  tabPanel: '[role=tabpanel]',
} as const

export const topHooks = {
  link: '.scroll-to-top',
  shownClass: 'scroll-visible',
  lead: '#main',
} as const
