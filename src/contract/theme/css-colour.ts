/** A screen colour: its parts from 0 to 1 in linear light, and its opacity. */
export type Colour = { readonly light: readonly [number, number, number]; readonly alpha: number }

/** The supported colour formats, for messages. */
export const colourForms = '#1d4b44, rgb(29 75 68), hsl(171 44% 20%) or oklch(0.38 0.05 180)'

/** Parses a CSS colour: hexadecimal, rgb(), hsl(), oklch(), black, white or transparent. Null for any other. */
export function parseColour(text: string): Colour | null {
  const written = text.trim().toLowerCase()
  const named = names[written]
  if (named) return named
  if (written.startsWith('#')) return hexadecimal(written.slice(1))
  const [, name = '', inside = ''] = /^(rgba?|hsla?|oklch)\(([^()]*)\)$/.exec(written) ?? []
  const parts = /^([^\s,/]+)[\s,]+([^\s,/]+)[\s,]+([^\s,/]+)(?:\s*[,/]\s*([^\s,/]+))?$/.exec(inside.trim())
  if (name === '' || !parts) return null
  const [, first = '', second = '', third = '', fourth = '1'] = parts
  const alpha = part(fourth, 1)
  const read = name.startsWith('rgb') ? fromRgb : name.startsWith('hsl') ? fromHsl : fromOklch
  const light = read(first, second, third)
  return light === null || alpha === null ? null : { light, alpha: between(alpha, 0, 1) }
}

/**
 * Returns the contrast ratio of text and background: 1 to 21, by the formula of WCAG 2.
 * @param ground is treated as opaque
 */
export function contrastOf(text: Colour, ground: Colour): number {
  // Screens blend encoded colours, not linear light.
  const mixed = text.light.map((part, at) =>
    linear(encoded(part) * text.alpha + encoded(ground.light[at] ?? 0) * (1 - text.alpha)),
  )
  const [lower = 0, higher = 0] = [luminance(mixed), luminance(ground.light)].sort((a, b) => a - b)
  return (higher + 0.05) / (lower + 0.05)
}

const names: Readonly<Record<string, Colour | undefined>> = {
  black: { light: [0, 0, 0], alpha: 1 },
  white: { light: [1, 1, 1], alpha: 1 },
  transparent: { light: [0, 0, 0], alpha: 0 },
}

type Light = readonly [number, number, number]

function luminance([red = 0, green = 0, blue = 0]: readonly number[]): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function hexadecimal(digits: string): Colour | null {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(digits)) return null
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join('') : digits
  const [red = 0, green = 0, blue = 0, alpha = 255] = (long.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
  return { light: [linear(red / 255), linear(green / 255), linear(blue / 255)], alpha: alpha / 255 }
}

function fromRgb(...texts: [string, string, string]): Light | null {
  const [red, green, blue] = texts.map((text) => part(text, 255))
  if (red == null || green == null || blue == null) return null
  return [linear(between(red, 0, 1)), linear(between(green, 0, 1)), linear(between(blue, 0, 1))]
}

function fromHsl(hueText: string, saturationText: string, lightnessText: string): Light | null {
  const hue = angle(hueText)
  const [saturation, lightness] = [part(saturationText, 100), part(lightnessText, 100)]
  if (hue === null || saturation === null || lightness === null) return null
  const reach = between(saturation, 0, 1) * Math.min(lightness, 1 - lightness)
  const at = (offset: number) => {
    const turn = (((offset + hue / 30) % 12) + 12) % 12
    return linear(between(lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)), 0, 1))
  }
  return [at(0), at(8), at(4)]
}

/** The matrices are those of CSS Color 4. Colours outside of the gamut are clipped per channel. */
function fromOklch(lightnessText: string, chromaText: string, hueText: string): Light | null {
  const hue = angle(hueText)
  const [lightness, chroma] = [part(lightnessText, 1), part(chromaText, 1, 0.4)]
  if (hue === null || lightness === null || chroma === null) return null
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    between(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short, 0, 1),
    between(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short, 0, 1),
    between(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short, 0, 1),
  ]
}

/** Parses a number relative to `whole`, or a percentage relative to `hundred`. */
function part(text: string, whole: number, hundred = 1): number | null {
  const [, figure, percent] = /^(-?(?:\d+(?:\.\d*)?|\.\d+))(%?)$/.exec(text) ?? []
  if (figure === undefined) return text === 'none' ? 0 : null
  return percent ? (Number(figure) / 100) * hundred : Number(figure) / whole
}

function angle(text: string): number | null {
  const [, figure] = /^(-?(?:\d+(?:\.\d*)?|\.\d+))(?:deg)?$/.exec(text) ?? []
  return figure === undefined ? (text === 'none' ? 0 : null) : Number(figure)
}

function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

function encoded(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055
}

function between(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
