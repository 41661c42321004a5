/**
 * The only entry for markup of responses into the page. Responses come from this site's own renderer, which never
 * writes the stripped parts; so a bug elsewhere cannot add a script or an external form target here.
 */

type Policy = { createHTML(markup: string): string }
type TrustedTypes = { createPolicy(name: string, rules: Policy): Policy }

let policy: Policy | undefined

/** On a page that is translated: all markup that has entered it, in its language already, until the translator has read it. */
export const insertedMarkup: string[] = []

/** Parses markup to nodes, ready to insert, also table rows and cells. */
export function parseMarkup(markup: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = trusted(markup)
  return sanitized(template.content)
}

/** Parses a whole page into a separate document: nothing in it runs or loads. */
export function parsePage(markup: string): Document {
  return sanitized(new DOMParser().parseFromString(trusted(markup), 'text/html'))
}

/** Returns only the text between tags. */
export function textOf(markup: string): string {
  return parseMarkup(markup).textContent?.trim() ?? ''
}

function trusted(markup: string): string {
  if ('trp_data' in window) insertedMarkup.push(markup)
  if (!policy) {
    const types: unknown = Reflect.get(window, 'trustedTypes')
    const rules: Policy = { createHTML: (html) => html }
    // Proof of the cast: `trustedTypes` is the platform's object or absent. Nodes are sanitized after inert parsing,
    // since a string would have to be parsed twice.
    policy = types ? (types as TrustedTypes).createPolicy('vitrine', rules) : rules
  }
  return policy.createHTML(markup)
}

/** Allowed elements besides those without behaviour, as `strong` and `section`. All others are removed. */
const elements = new Set(
  `a blockquote body br button del details dialog div dl fieldset form h1 h2 h3 h4 h5 h6 head hr html img input ins
  label legend li link meter ol optgroup option output p picture pre script select source span table tbody td template textarea
  tfoot th thead time title tr ul svg path`.split(/\s+/),
)
/** Data blocks contain settings and do not run. */
const harmless = 'link[rel=canonical], script[type$=json], script[type="text/template"]'

function isAllowed(element: Element): boolean {
  // Content of `noscript` is parsed into elements here: its fields would be submitted.
  if (element.matches('noscript input')) return false
  if (element.localName === 'script' || element.localName === 'link') return element.matches(harmless)
  return elements.has(element.localName) || element.constructor === HTMLElement
}

let reader: HTMLAnchorElement | undefined

/** Returns true if an attribute only contains a harmless URL, as the browser itself parses it. */
function isHarmless(attribute: string, element: Element): boolean {
  const name = attribute.toLowerCase()
  if (/^(on|srcdoc)/.test(name)) return false
  if (!/(href|src|action)$/.test(name)) return true
  // A single element for all URLs: creating one each time is slower than parsing.
  reader ??= document.createElement('a')
  reader.href = element.getAttribute(attribute) ?? ''
  const { protocol, origin } = reader
  if (name.endsWith('action')) return origin === location.origin
  return /^(https?|mailto|tel|sms):$/.test(protocol)
}

function sanitized<Root extends ParentNode>(root: Root): Root {
  for (const element of root.querySelectorAll('*')) {
    if (!isAllowed(element)) {
      element.remove()
      continue
    }
    for (const name of element.getAttributeNames()) {
      if (!isHarmless(name, element)) element.removeAttribute(name)
    }
    if (element instanceof HTMLTemplateElement) sanitized(element.content)
  }
  return root
}
