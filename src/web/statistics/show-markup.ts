/**
 * The only entry for markup of responses into this page. It comes from the server's own renderer, and parts that the
 * renderer never writes are removed. The shop's own entry is not used: it would load the scripts of every page.
 */

type Policy = { createHTML(markup: string): string }

let policy: Policy | undefined

/** @param markup from this server */
export function showMarkup(place: Element, markup: string): void {
  const template = document.createElement('template')
  template.innerHTML = trusted(markup)
  const { content } = template
  for (const element of content.querySelectorAll('script, iframe, object, embed, base, form, template'))
    element.remove()
  for (const element of content.querySelectorAll('*')) {
    for (const { name, value } of [...element.attributes]) {
      const leads = /^(?:href|src|xlink:href)$/i.test(name)
      if (/^on/i.test(name) || (leads && !/^\/(?![/\\])/.test(value))) element.removeAttribute(name)
    }
  }
  place.replaceChildren(content)
}

function trusted(markup: string): string {
  if (!policy) {
    const rules: Policy = { createHTML: (html) => html }
    const types: unknown = Reflect.get(window, 'trustedTypes')
    // Proof of the cast: `trustedTypes` is the platform's object or absent.
    policy = types
      ? (types as { createPolicy(name: string, rules: Policy): Policy }).createPolicy('vitrine', rules)
      : rules
  }
  return policy.createHTML(markup)
}
