/**
 * The one gate through which markup from an answer enters the page. Answers come from this site's own renderer; what the
 * gate strips is what that renderer never writes, so that a hole elsewhere does not become a script here.
 */

type Policy = { createHTML(markup: string): string }
type TrustedTypes = { createPolicy(name: string, rules: Policy): Policy }

let policy: Policy | undefined

/** On a page that is translated: all markup that has entered it, in its language already, until the translator has read it. */
export const entered: string[] = []

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
  if ('trp_data' in window) entered.push(markup)
  if (!policy) {
    const types: unknown = Reflect.get(window, 'trustedTypes')
    const rules: Policy = { createHTML: (html) => html }
    // Proof of the cast: `trustedTypes` is the platform's object or absent. Nodes are defused after inert parsing, which a
    // string cannot be without parsing twice.
    policy = types ? (types as TrustedTypes).createPolicy('vitrine', rules) : rules
  }
  return policy.createHTML(markup)
}

/** Script data blocks carry settings and run nothing; anything else called script goes. */
const isData = (element: Element) =>
  /^(?:application\/(?:ld\+)?json|text\/template)$/.test(element.getAttribute('type') ?? '')
const addressAttribute = /^(?:href|src|action|formaction|xlink:href|data)$/i
// Browsers ignore control characters and blanks inside a scheme.
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are skipped.
const scriptAddress = /^[\u0000-\u0020]*j[\s]*a[\s]*v[\s]*a[\s]*s[\s]*c[\s]*r[\s]*i[\s]*p[\s]*t[\s]*:/i

function defused<Root extends ParentNode>(root: Root): Root {
  for (const element of root.querySelectorAll('*')) {
    const name = element.localName
    if ((name === 'script' && !isData(element)) || name === 'base' || name === 'object' || name === 'embed') {
      element.remove()
      continue
    }
    for (const { name: attribute, value } of [...element.attributes]) {
      if (
        /^on/i.test(attribute) ||
        attribute === 'srcdoc' ||
        (addressAttribute.test(attribute) && scriptAddress.test(value))
      ) {
        element.removeAttribute(attribute)
      }
    }
    if (element instanceof HTMLTemplateElement) defused(element.content)
  }
  return root
}
