/** The file of a brand's mark, by the names that the provider's answers and its script have for the brand. */
const files: Readonly<Record<string, string>> = {
  visa: 'visa',
  mastercard: 'mastercard',
  amex: 'amex',
  'american-express': 'amex',
  discover: 'discover',
  diners: 'diners',
  'diners-club': 'diners',
  jcb: 'jcb',
  maestro: 'maestro',
  unionpay: 'unionpay',
  china_union_pay: 'unionpay',
}

/** Brands that have a mark. */
export const markedBrands = Object.keys(files)

/** @param brand in lower case; undefined for one without a mark */
export function cardMark(brand: string): string | undefined {
  return Object.hasOwn(files, brand) ? files[brand] : undefined
}
