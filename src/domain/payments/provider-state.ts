import { stateName } from '../addresses/states.ts'

/** Countries whose states PayPal identifies by postal abbreviations. */
const byCode = new Set('AU BR CA IT US'.split(' '))

/** Mexico’s customary abbreviations, by our code. */
const mexican: Readonly<Record<string, string>> = {
  ...{ DF: 'DF', JA: 'JAL', NL: 'NL', AG: 'AGS', BC: 'BC', BS: 'BCS', CM: 'CAMP', CS: 'CHIS', CH: 'CHIH', CO: 'COAH' },
  ...{ CL: 'COL', DG: 'DGO', GT: 'GTO', GR: 'GRO', HG: 'HGO', MX: 'MEX', MI: 'MICH', MO: 'MOR', NA: 'NAY', OA: 'OAX' },
  ...{ PU: 'PUE', QT: 'QRO', QR: 'Q ROO', SL: 'SLP', SI: 'SIN', SO: 'SON', TB: 'TAB', TM: 'TAMPS', TL: 'TLAX' },
  ...{ VE: 'VER', YU: 'YUC', ZA: 'ZAC' },
}

/**
 * Returns a state in PayPal’s notation; for countries without a table its name, since our code is unknown there.
 * Unknown values are sent as typed.
 */
export function providerState(country: string, code: string): string {
  const name = stateName(country, code)
  if (byCode.has(country) || name === code) return code
  switch (country) {
    case 'AR':
      return argentine[code] ?? name.toLocaleUpperCase('en')
    case 'IN':
      return code === 'DL' ? 'Delhi (NCT)' : name
    case 'JP':
      return japanese(name)
    case 'MX':
      return mexican[code] ?? name
    default:
      return name
  }
}

const argentine: Readonly<Record<string, string>> = { B: 'BUENOS AIRES', C: 'CIUDAD AUTÓNOMA DE BUENOS AIRES' }

/** `TOKYO-TO`, `KYOTO-FU`, `AICHI-KEN` */
function japanese(name: string): string {
  const kind = { Hokkaido: '', Kyoto: '-FU', Osaka: '-FU', Tokyo: '-TO' }[name] ?? '-KEN'
  return name.toLocaleUpperCase('en') + kind
}
