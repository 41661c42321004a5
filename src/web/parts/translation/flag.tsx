import { type FlagDrawing, FlagPicture } from '../../islands/shared/flag-picture.tsx'

/** Flags of countries, drawn from their stripes: decoration beside a language's name. Unknown ones are left out. */

/** Coordinates within 21 by 14. */
const across = (...colours: readonly string[]): FlagDrawing =>
  colours.map((colour, place) => [`M0 ${(14 / colours.length) * place}H21V14H0Z`, colour])
const upright = (...colours: readonly string[]): FlagDrawing =>
  colours.map((colour, place) => [
    `M${(21 / colours.length) * place} 0H21V14h-${21 - (21 / colours.length) * place}Z`,
    colour,
  ])
const cross = (ground: string, outer: string, inner = outer): FlagDrawing => [
  ['M0 0h21v14H0Z', ground],
  ['M6 0h4v5h11v4H10v5H6V9H0V5h6Z', outer],
  ['M7 0h2v6h12v2H9v6H7V8H0V6h7Z', inner],
]

const disc = 'M10.5 2.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4Z'
const white = '#fff'

const flags: Readonly<Record<string, FlagDrawing>> = {
  AE: [...across('#009639', white, '#000'), ['M0 0h6v14H0Z', '#c8102e']],
  AT: across('#c8102e', white, '#c8102e'),
  BE: upright('#000', '#ffd90c', '#ef3340'),
  CA: [
    ...upright('#d80621', white, white, '#d80621'),
    [
      'm10.5 2.5 1 2 1.2-.4-.3 3 2.1-.9-.5 1.6-2.7 1.7h-1.6L7 7.8l-.5-1.6 2.1.9-.3-3 1.2.4Zm-.3 7h.6V12h-.6Z',
      '#d80621',
    ],
  ],
  CH: [
    ['M0 0h21v14H0Z', '#da291c'],
    ['M9 2.8h3v2.7h2.7v3H12v2.7H9V8.5H6.3v-3H9Z', white],
  ],
  CZ: [...across(white, '#d7141a'), ['M0 0l10.5 7L0 14Z', '#11457e']],
  DE: across('#000', '#d00', '#ffce00'),
  DK: cross('#c8102e', '#c8102e', white),
  EG: across('#ce1126', white, '#000'),
  ES: [
    ['M0 0h21v14H0Z', '#aa151b'],
    ['M0 3.5h21v7H0Z', '#f1bf00'],
  ],
  EU: [
    ['M0 0h21v14H0Z', '#039'],
    [
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
        .map((hour) => {
          const [x, y] = [10.5 + 4.5 * Math.sin((hour * Math.PI) / 6), 7 - 4.5 * Math.cos((hour * Math.PI) / 6)]
          return `M${(x - 0.7).toFixed(2)} ${y.toFixed(2)}a.7.7 0 1 0 1.4 0a.7.7 0 1 0-1.4 0Z`
        })
        .join(''),
      '#fc0',
    ],
  ],
  FI: cross(white, '#002f6c'),
  FR: upright('#002654', white, '#ce1126'),
  GB: [
    ['M0 0h21v14H0Z', '#012169'],
    ['M0 0h2.5L21 12.3V14h-2.5L0 1.7Zm21 0v1.7L2.5 14H0v-1.7L18.5 0Z', white],
    ['M0 0h.8L21 13.4v.6h-.8L0 .6Zm21 0v.6L.8 14H0v-.6L20.2 0Z', '#c8102e'],
    ['M8.2 0h4.6v4.7H21v4.6h-8.2V14H8.2V9.3H0V4.7h8.2Z', white],
    ['M9.1 0h2.8v5.6H21v2.8h-9.1V14H9.1V8.4H0V5.6h9.1Z', '#c8102e'],
  ],
  HU: across('#ce2939', white, '#477050'),
  IE: upright('#169b62', white, '#ff883e'),
  IN: [...across('#f93', white, '#138808'), ['M10.5 5.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6Z', '#000080']],
  IT: upright('#009246', white, '#ce2b37'),
  JP: [
    ['M0 0h21v14H0Z', white],
    [disc, '#bc002d'],
  ],
  MX: upright('#006341', white, '#c8102e'),
  NL: across('#ae1c28', white, '#21468b'),
  NO: cross('#ba0c2f', white, '#00205b'),
  PL: across(white, '#dc143c'),
  RO: upright('#002b7f', '#fcd116', '#ce1126'),
  RU: across(white, '#0039a6', '#d52b1e'),
  SE: cross('#006aa7', '#006aa7', '#fecc02'),
  TH: across('#a51931', white, '#2d2a4a', '#2d2a4a', white, '#a51931'),
  UA: across('#0057b7', '#ffd700'),
  US: [...across('#b31942', white, '#b31942', white, '#b31942', white, '#b31942'), ['M0 0h9v8H0Z', '#0a3161']],
}

/** Renders nothing for a tag without a country, or with an unknown flag. */
export function Flag({ tag }: { tag: string }) {
  const drawing = flagOf(tag)
  if (!drawing) return null
  return <FlagPicture drawing={drawing} />
}

export const flagOf = (tag: string): FlagDrawing | undefined => flags[new Intl.Locale(tag).region ?? '']
