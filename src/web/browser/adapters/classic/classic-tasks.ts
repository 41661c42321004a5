/** Files of the classic storefront to whose tasks the shop's own scripts step aside, where the page has them when ours begin. */
const leftToTheirs = ['add-to-cart-variation', 'country-select', 'address-i18n', 'password-strength-meter']

/** What these do, ours do as well: calls would be made twice. */
const mustNotCome = [
  'add-payment-method',
  'add-to-cart',
  'cart',
  'cart-fragments',
  'checkout',
  'geolocation',
  'lost-password',
  'order-attribution',
  'single-product',
  'sourcebuster',
  'tokenization-form',
  'woocommerce',
]

const seen = new Set<string>()

/** Tells the page's developer of classic scripts that double what the shop's own do, once each. */
export function warnOfDoubles(): void {
  for (const file of classicFiles()) {
    if (seen.has(file)) continue
    seen.add(file)
    if (mustNotCome.includes(file)) warn(file, 'does what the shop’s own scripts do: take it off the page')
    else if (leftToTheirs.includes(file) && document.readyState === 'complete')
      warn(file, 'came after the shop’s own script had begun its task: put it into the page itself')
  }
}

function warn(file: string, what: string): void {
  console.warn(`Warning: ${file}.js ${what}, or calls and events come twice (docs/reference/page-scripts.md).`)
}

function classicFiles(): string[] {
  return [...document.scripts].flatMap(({ src }) => /\/([\w-]+?)(?:\.min)?\.js(?:$|[?#])/.exec(src)?.[1] ?? [])
}
