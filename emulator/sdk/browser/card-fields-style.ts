import type { CardStyle } from './card-fields-wire.ts'

const STYLE_PROPERTIES = new Set(
  (
    'appearance color direction font font-family font-size font-size-adjust font-stretch font-style font-variant ' +
    'font-variant-alternates font-variant-caps font-variant-east-asian font-variant-ligatures font-variant-numeric ' +
    'font-weight letter-spacing line-height opacity outline padding padding-top padding-right padding-bottom ' +
    'padding-left text-shadow transition border borderRadius boxShadow -moz-appearance -moz-osx-font-smoothing ' +
    '-moz-tap-highlight-color -moz-transition -webkit-appearance -webkit-osx-font-smoothing ' +
    '-webkit-tap-highlight-color -webkit-transition'
  ).split(' '),
)

/** The part of a style that a field takes over; the page's author is warned of the rest. */
export function allowedCardStyle(style: CardStyle): CardStyle {
  const allowed: CardStyle = {}
  for (const [selector, rule] of Object.entries(style)) {
    if (typeof rule === 'string' || !/^[\w\s.:,>()@-]+$/.test(selector)) {
      console.warn(`[PayPal CardFields] style is not valid: ${selector}`)
    } else if (selector.startsWith('@media')) {
      allowed[selector] = allowedCardStyle(rule)
    } else {
      allowed[selector] = allowedProperties(rule)
    }
  }
  return allowed
}

function allowedProperties(rule: CardStyle): CardStyle {
  return Object.fromEntries(
    Object.entries(rule).filter(([property, value]) => {
      if (STYLE_PROPERTIES.has(property) && typeof value === 'string') return true
      console.warn(`[PayPal CardFields] style property is not allowed: ${property}`)
      return false
    }),
  )
}

/** A field's own style goes before that of all fields, selector by selector. */
export function mergedCardStyle(all: CardStyle = {}, own: CardStyle = {}): CardStyle {
  const merged = { ...all }
  for (const [selector, rule] of Object.entries(own)) {
    const base = merged[selector]
    merged[selector] = typeof rule === 'object' && typeof base === 'object' ? { ...base, ...rule } : rule
  }
  return merged
}

/** Inside a frame: puts the rules behind its own ones. Property by property, so that no value can end its rule. */
export function applyCardStyle(style: CardStyle): void {
  const sheet = new CSSStyleSheet()
  for (const [selector, rule] of Object.entries(style)) {
    if (typeof rule === 'string') continue
    if (!selector.startsWith('@media')) addCardRule(sheet, selector, rule)
    else {
      const media = sheet.cssRules[sheet.insertRule(`${selector} {}`, sheet.cssRules.length)]
      if (!(media instanceof CSSMediaRule)) continue
      for (const [inner, properties] of Object.entries(rule)) {
        if (typeof properties === 'object') addCardRule(media, inner, properties)
      }
    }
  }
  document.adoptedStyleSheets = [sheet]
}

function addCardRule(sheet: CSSStyleSheet | CSSMediaRule, selector: string, properties: CardStyle): void {
  const rule = sheet.cssRules[sheet.insertRule(`${selector} {}`, sheet.cssRules.length)]
  if (!(rule instanceof CSSStyleRule)) return
  for (const [property, value] of Object.entries(properties)) {
    if (typeof value !== 'string') continue
    rule.style.setProperty(
      property.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`),
      value,
    )
  }
}
