import { iso31662 } from 'iso-3166'

/** A state under the code that the shop uses: in form values, sessions, orders, tax rates and shipping zones. */
export type CodedState = {
  readonly code: string
  /** Its code in ISO 3166-2 without the country; empty where the standard has none. */
  readonly iso: string
  readonly isoName: string
}

type Subdivision = { readonly iso: string; readonly name: string; readonly parent: string }
type Codes = {
  /** How the shop's code follows from the standard's. */
  readonly style: (country: string, iso: string) => string
  readonly only?: (subdivision: Subdivision, country: string) => boolean
  /** The shop's code by the standard's, where the style does not give it. */
  readonly but?: Readonly<Record<string, string>>
  /** States that the standard does not have (any more). Their names are in `state-names.ts`. */
  readonly more?: readonly string[]
}

const asIs: Codes['style'] = (_country, iso) => iso
const hyphened: Codes['style'] = (country, iso) => `${country}-${iso}`
const glued: Codes['style'] = (country, iso) => country + iso

const without =
  (codes: string): NonNullable<Codes['only']> =>
  ({ iso }) =>
    !codes.split(' ').includes(iso)
/** Subdivisions of subdivisions: provinces below regions. */
const inner: NonNullable<Codes['only']> = ({ parent }, country) => parent !== country

const each = (countries: string, codes: Codes) => countries.split(' ').map((country) => [country, codes] as const)

/** Countries whose codes follow from the standard's by a rule. */
const byRule: Readonly<Record<string, Codes>> = Object.fromEntries([
  ...each('AR AU BJ BR CA CH GH LA NA NG PE PK RO UM ZA', { style: asIs }),
  ...each('AL BG BO CL CO CR DE DZ EC HN HR JM NI SV UY VE ZM', { style: hyphened }),
  ...each('EG JP KE KN MZ RS SN TR UA', { style: glued }),
  ...each('BD DO', { style: hyphened, only: inner }),
  ['ES', { style: asIs, only: (each, country) => inner(each, country) || ['CE', 'ML'].includes(each.iso) }],
  ['GR', { style: asIs, only: without('69') }],
  [
    'HU',
    {
      style: asIs,
      only: ({ iso }) => 'BA BE BK BU BZ CS FE GS HB HE JN KE NO PE SO SZ TO VA VE ZA'.split(' ').includes(iso),
    },
  ],
  ['ID', { style: asIs, only: without('JW KA ML NU PP SL SM PD PE PS PT') }],
  ['IE', { style: asIs, only: inner }],
  ['IT', { style: asIs, only: (each, country) => inner(each, country) || each.iso === '23', but: { '23': 'AO' } }],
  ['NZ', { style: asIs, only: without('CIT') }],
  ['US', { style: asIs, only: without('AS GU MP PR UM VI'), more: ['AA', 'AE', 'AP'] }],
  ['PA', { style: hyphened, only: without('NT') }],
  ['PY', { style: hyphened, but: { '19': 'PY-17' } }],
  ['TH', { style: hyphened, only: without('S') }],
  ['TZ', { style: glued, only: without('31') }],
  // The districts that came into being up to July 2018.
  [
    'UG',
    {
      style: glued,
      only: (each, country) => inner(each, country) && without('237 335 336 337 433 434 435')(each, country),
    },
  ],
  [
    'MA',
    {
      style: (_country, iso) => `ma${iso.toLowerCase()}`,
      only: (each, country) => inner(each, country) && without('AOU ASZ ESM')(each, country),
      but: { ESI: 'maedi' },
      more: ['mammd', 'mammn', 'masyb'],
    },
  ],
  ['AO', { style: asIs, but: { BGU: 'BLU' } }],
  [
    'PH',
    {
      style: asIs,
      only: (each, country) => (inner(each, country) && without('MGN MGS')(each, country)) || each.iso === '00',
      but: { DVO: 'DAC', SIG: 'SIQ' },
      more: ['MAG'],
    },
  ],
  ['IN', { style: asIs, but: { CG: 'CT' }, more: ['DD', 'DN'] }],
])

/** Countries with codes of their own, in the order of their lists: `own=iso`, or one code that is both. */
const own: Readonly<Record<string, string>> = {
  CN: 'CN1=YN CN2=BJ CN3=TJ CN4=HE CN5=SX CN6=NM CN7=LN CN8=JL CN9=HL CN10=SH CN11=JS CN12=ZJ CN13=AH CN14=FJ CN15=JX CN16=SD CN17=HA CN18=HB CN19=HN CN20=GD CN21=GX CN22=HI CN23=CQ CN24=SC CN25=GZ CN26=SN CN27=GS CN28=QH CN29=NX CN30=MO CN31=XZ CN32=XJ',
  GT: 'GT-AV=16 GT-BV=15 GT-CM=04 GT-CQ=20 GT-PR=02 GT-ES=05 GT-GU=01 GT-HU=13 GT-IZ=18 GT-JA=21 GT-JU=22 GT-PE=17 GT-QZ=09 GT-QC=14 GT-RE=11 GT-SA=03 GT-SM=12 GT-SR=06 GT-SO=07 GT-SU=10 GT-TO=08 GT-ZA=19',
  HK: 'HONG_KONG= KOWLOON= NEW_TERRITORIES=',
  IR: 'KHZ=06 THR=23 ILM=16 BHR=18 ADL=24 ESF=10 YZD=21 KRH=05 KRN=08 HDN=13 GZN=26 ZJN=19 LRS=15 ABZ=30 EAZ=03 WAZ=04 CHB=14 SKH=29 RKH=09 NKH=28 SMN=20 FRS=07 QHM=25 KRD=12 KBD=17 GLS=27 GIL=01 MZN=02 MKZ=00 HRZ=22 SBN=11',
  LR: 'BM BN=BG GA=GP GB GC=CM GG GK LO MA=MG MY MO NM=NI RV=RI RG SN=SI',
  MD: 'C=CU BL=BA AN BS BR CH=CA CT CL CS CM CR DN=DO DR DB=DU ED FL=FA FR=FL GE=GA GL HN=HI IL=IA LV=LE NS=NI OC OR RZ=RE RS=RI SG=SI SR=SO ST SD SV TR=TA TL=TE UN',
  MX: 'DF=CMX JA=JAL NL=NLE AG=AGU BC=BCN BS=BCS CM=CAM CS=CHP CH=CHH CO=COA CL=COL DG=DUR GT=GUA GR=GRO HG=HID MX=MEX MI=MIC MO=MOR NA=NAY OA=OAX PU=PUE QT=QUE QR=ROO SL=SLP SI=SIN SO=SON TB=TAB TM=TAM TL=TLA VE=VER YU=YUC ZA=ZAC',
  MY: 'JHR=01 KDH=02 KTN=03 LBN=15 MLK=04 NSN=05 PHG=06 PNG=07 PRK=08 PLS=09 SBH=12 SWK=13 SGR=10 TRG=11 PJY=16 KUL=14',
  // The zones that its provinces replaced.
  NP: 'BAG= BHE= DHA= GAN= JAN= KAR= KOS= LUM= MAH= MEC= NAR= RAP= SAG= SET=',
}

/** Countries whose visitors choose a state, and whether their list keeps the order in which it stands here. */
export const countriesWithStates: readonly { readonly country: string; readonly ordered: boolean }[] = [
  ...Object.keys(byRule).map((country) => ({ country, ordered: false })),
  ...Object.keys(own).map((country) => ({ country, ordered: true })),
].sort((a, b) => (a.country < b.country ? -1 : 1))

/** The states of a country under the shop's codes. */
export function codedStates(country: string): CodedState[] {
  const subdivisions = subdivisionsOf(country)
  const rule = byRule[country]
  if (rule) {
    const { style, only = () => true, but = {}, more = [] } = rule
    return [
      ...subdivisions
        .filter((subdivision) => only(subdivision, country))
        .map(({ iso, name }) => ({ code: but[iso] ?? style(country, iso), iso, isoName: name })),
      ...more.map((code) => ({ code, iso: '', isoName: '' })),
    ]
  }
  return (own[country] ?? '').split(' ').map((entry) => {
    const [code = '', iso = code] = entry.split('=')
    const known = subdivisions.find((subdivision) => subdivision.iso === iso)
    if (iso !== '' && !known) throw new Error(`${country} has no subdivision ${iso}`)
    return { code: code.replaceAll('_', ' '), iso, isoName: known?.name ?? '' }
  })
}

function subdivisionsOf(country: string): Subdivision[] {
  return iso31662
    .filter(({ code }) => code.startsWith(`${country}-`))
    .map(({ code, name, parent }) => ({ iso: code.slice(country.length + 1), name, parent }))
}
