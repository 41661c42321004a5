import type { Page } from 'playwright-core'

/**
 * What axe does not look at, as one line each: one main heading, errors that are tied to their fields, fields that a browser
 * may fill in, and, where fingers work, controls that are easy to hit.
 */
export async function examine(page: Page, { narrow }: { narrow: boolean }): Promise<string[]> {
  return page.evaluate(faultsOf, narrow)
}

/** Runs in the page. */
function faultsOf(narrow: boolean): string[] {
  const faults: string[] = []
  const shown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest('[inert]')
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter(shown)
  const tell = (element: Element) => {
    const [own] = element.outerHTML.split('>')
    return `${own?.slice(0, 160)}>`
  }

  if (document.querySelectorAll('h1').length !== 1) faults.push(`${document.querySelectorAll('h1').length} h1`)
  const seen = new Set<string>()
  for (const { id } of document.querySelectorAll('[id]')) {
    if (seen.has(id)) faults.push(`two elements with the id ${id}`)
    seen.add(id)
  }

  for (const field of all('[aria-invalid="true"]')) {
    const ids = `${field.getAttribute('aria-describedby') ?? ''} ${field.getAttribute('aria-errormessage') ?? ''}`
    const said = ids.split(/\s+/).map((id) => document.getElementById(id)?.textContent?.trim() ?? '')
    if (said.every((text) => text === '')) faults.push(`nothing says what is wrong with ${tell(field)}`)
  }

  for (const { dataset, textContent } of all('.woocommerce-error [data-id]')) {
    const field = document.getElementById(dataset.id ?? '')
    // What was corrected meanwhile is right, whatever was said of it.
    if (!field || field.closest('.woocommerce-validated')) continue
    if (field.getAttribute('aria-invalid') !== 'true') faults.push(`“${textContent}” is not said of its field`)
  }

  const personal =
    /first_name|last_name|company|address_[12]|city|postcode|country|state|phone|email|user(name)?$|password/
  for (const field of all('input, select')) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue
    if (/^(hidden|submit|button|checkbox|radio|search|number)$/.test(field.type) || field.form?.role === 'search')
      continue
    if (personal.test(field.name) && !/^[a-z]/.test(field.autocomplete)) faults.push(`no autocomplete: ${tell(field)}`)
    if (field.autocomplete === 'off' && personal.test(field.name)) faults.push(`autocomplete is off: ${tell(field)}`)
  }

  // A password comes out of a manager, or is pasted: nobody has to know it by heart.
  for (const field of all('input[type=password]')) {
    const token = field instanceof HTMLInputElement ? field.autocomplete : ''
    if (!/(current|new)-password$/.test(token)) faults.push(`no manager knows this password: ${tell(field)}`)
    const pasted = field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true }))
    if (!pasted) faults.push(`cannot be pasted into: ${tell(field)}`)
  }

  if (narrow) {
    // What a visitor comes for; other targets may have the 24 pixels that axe demands.
    const primary =
      'main .button:not([role=alert] *, [role=status] *), .site-header :is(button, summary, a):not(.sub-menu *, .site-name), .drawer-close, .scroll-to-top, input.input-text, select, .select2-selection, .quantity :is(.plus, .minus), .gallery-view button, .woocommerce-store-notice__dismiss-link'
    for (const target of all(primary)) {
      const { width, height } = target.getBoundingClientRect()
      // What is there for a screen reader alone is a pixel.
      if (width <= 1 || height <= 1) continue
      if (width < 43.5 || height < 43.5)
        faults.push(`only ${Math.round(width)} × ${Math.round(height)}: ${tell(target)}`)
    }
  }
  return faults
}
