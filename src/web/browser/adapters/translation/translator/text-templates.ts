const figures = /\p{Nd}+/gu

/** Texts that differ only in their figures have the same template. */
export const templateOf = (text: string) => text.replace(figures, '0')

/**
 * @returns a translation with the figures of another text of the same template; '' if it lacks some of its own figures
 */
export function withFigures(translated: string, of: string, text: string): string {
  const own: (string | null)[] = of.match(figures) ?? []
  const others = text.match(figures) ?? []
  let left = own.length
  const made = translated.replace(figures, (figure) => {
    const at = own.indexOf(figure)
    own[at] = null
    left -= at < 0 ? Number.NaN : 1
    return others[at] ?? ''
  })
  return left === 0 ? made : ''
}
