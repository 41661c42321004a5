import { statesByCountry } from '#domain/addresses/states.ts'
import { catalogTree, categoryFacts } from '#shop/catalog-tree.ts'
import { countryChoices, stateChoices } from '#shop/describe-checkout.ts'
import type { Tools } from '#shop/tools.ts'
import type { ShopContextValue } from '#web/parts/shop-context.tsx'

/** What every page may know of the shop, from its settings and categories. */
export async function makeShopContext(tools: Tools): Promise<ShopContextValue> {
  const { settings } = tools
  const tree = await catalogTree(tools)
  return {
    name: settings.name,
    tagline: settings.tagline,
    language: settings.language,
    dir: 'ltr',
    currency: settings.currency,
    priceFormat: settings.priceFormat,
    taxDisplayShop: settings.taxes.displayShop,
    taxDisplayCart: settings.taxes.displayCart,
    pricesIncludeTax: settings.taxes.pricesIncludeTax,
    stockFormat: settings.stockFormat,
    lowStockAmount: settings.lowStockAmount,
    couponsEnabled: settings.couponsEnabled,
    ajaxAdd: settings.ajaxAdd,
    redirectAfterAdd: settings.redirectAfterAdd,
    wallet: {
      enabled: tools.paypal !== null && settings.paypal.enabled,
      sections: settings.paypal.sections,
      buttonPlacement: settings.paypal.buttonPlacement,
    },
    menu: tree.top.filter(({ count }) => count > 0).map((category) => categoryFacts(tree, category)),
    shippingCountries: countryChoices(settings),
    states: Object.fromEntries(Object.keys(statesByCountry()).map((country) => [country, stateChoices(country)])),
    t: fillIn,
  }
}

/** Fills `%s` and `%1$s` of an original. Translations come in here. */
function fillIn(original: string, ...values: readonly (string | number)[]): string {
  if (values.length === 0) return original
  let next = 0
  return original.replace(/%(?:(\d+)\$)?s/g, (_, place?: string) =>
    String(values[place ? Number(place) - 1 : next++] ?? ''),
  )
}
