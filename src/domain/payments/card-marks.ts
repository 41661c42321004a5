/** Files of card marks, by the brand names of PayPal's API and SDK. */
const markFiles: Readonly<Record<string, string>> = {
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

/** Brands with a mark. */
export const markedBrands = Object.keys(markFiles)

/** @param brand in lower case; undefined for one without a mark */
export function cardMark(brand: string): string | undefined {
  return Object.hasOwn(markFiles, brand) ? markFiles[brand] : undefined
}
