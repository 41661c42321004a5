/**
 * The one gate through which markup from an answer enters the page. Answers come from this site's own renderer; what the
 * gate strips is what that renderer never writes, so that a hole elsewhere becomes neither a script nor a way out here.
 */

type Policy = { createHTML(markup: string): string }
type TrustedTypes = { createPolicy(name: string, rules: Policy): Policy }

let policy: Policy | undefined

/** On a page that is translated: all markup that has entered it, in its language already, until the translator has read it. */
export const insertedMarkup: string[] = []

/** Markup as nodes, ready to insert. Table rows and cells parse too. */
export function parseMarkup(markup: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = trusted(markup)
  return defused(template.content)
}

/** A whole page as a document of its own: nothing in it runs or loads. */
export function parsePage(markup: string): Document {
  return defused(new DOMParser().parseFromString(trusted(markup), 'text/html'))
}

/** Text between tags only. */
export function textOf(markup: string): string {
  return parseMarkup(markup).textContent?.trim() ?? ''
}

function trusted(markup: string): string {
  if ('trp_data' in window) insertedMarkup.push(markup)
  if (!policy) {
    const types: unknown = Reflect.get(window, 'trustedTypes')
    const rules: Policy = { createHTML: (html) => html }
    // Proof of the cast: `trustedTypes` is the platform's object or absent. Nodes are defused after inert parsing, which a
    // string cannot be without parsing twice.
    policy = types ? (types as TrustedTypes).createPolicy('vitrine', rules) : rules
  }
  return policy.createHTML(markup)
}

/** What a page may have besides elements that do nothing of their own, as `strong` and `section`. All others are left out. */
const elements = new Set(
  `a blockquote body br button del details dialog div dl fieldset form h1 h2 h3 h4 h5 h6 head hr html img input ins
  label legend li link meter ol optgroup option output p picture pre script select source span table tbody td template textarea
  tfoot th thead time title tr ul svg path`.split(/\s+/),
)
/** Data blocks carry settings and run nothing. */
const harmless = 'link[rel=canonical], script[type$=json], script[type="text/template"]'

function isAllowed(element: Element): boolean {
  // Here what is meant for browsers without scripts is parsed into elements: its fields would be sent.
  if (element.matches('noscript input')) return false
  if (element.localName === 'script' || element.localName === 'link') return element.matches(harmless)
  return elements.has(element.localName) || element.constructor === HTMLElement
}

let reader: HTMLAnchorElement | undefined

/** Whether an attribute does no more than lead somewhere, as the browser itself reads the address. */
function isHarmless(attribute: string, element: Element): boolean {
  const name = attribute.toLowerCase()
  if (/^(on|srcdoc)/.test(name)) return false
  if (!/(href|src|action)$/.test(name)) return true
  // One for all addresses: making an element for each takes longer than reading what it says.
  reader ??= document.createElement('a')
  reader.href = element.getAttribute(attribute) ?? ''
  const { protocol, origin } = reader
  if (name.endsWith('action')) return origin === location.origin
  return /^(https?|mailto|tel|sms):$/.test(protocol)
}

function defused<Root extends ParentNode>(root: Root): Root {
  for (const element of root.querySelectorAll('*')) {
    if (!isAllowed(element)) {
      element.remove()
      continue
    }
    for (const name of element.getAttributeNames()) {
      if (!isHarmless(name, element)) element.removeAttribute(name)
    }
    if (element instanceof HTMLTemplateElement) defused(element.content)
  }
  return root
}
