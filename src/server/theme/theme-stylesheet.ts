import { storedAssetOf } from '#contract/shared/file-setting.ts'
import { urls } from '#contract/shared/urls.ts'
import type { ThemeSettings } from '#contract/theme/settings.ts'
import { shortDigest } from '#shop/shared/digest.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { fileAnswer } from '../http/static-files.ts'
import type { Application } from '../operations/startup/application.ts'

/**
 * What the merchant's tokens and letters add to the shop's own sheets; '' where there are none. Its rules stand in no layer,
 * so that they win over all that do. Every value was checked when it was set.
 */
export function themeSheet({ theme }: Pick<Tools['settings'], 'theme'>, files: Tools['files']): string {
  const faces = theme.fonts.flatMap(({ family, file, weight, style }) => {
    const font = storedAssetOf(files, file, 'font')
    const source = font && `url("${urls.themeFile(font.hash, 'woff2')}") format("woff2")`
    return source
      ? `@font-face{font-family:"${family}";font-weight:${weight};font-style:${style};font-display:swap;src:${source}}`
      : []
  })
  return [
    ...faces,
    ...rule(theme.tokens),
    ...rule(theme.light).map((inside) => `@media (prefers-color-scheme:light){${inside}}`),
    ...rule(theme.dark).map((inside) => `@media (prefers-color-scheme:dark){${inside}}`),
  ].join('\n')
}

function rule(tokens: ThemeSettings['tokens']): string[] {
  const declarations = Object.entries(tokens).map(([name, value]) => `${name}:${value.trim()}`)
  return declarations.length > 0 ? [`:root{${declarations.join(';')}}`] : []
}

/** The address of the sheet, which changes with its content; null: there is nothing in it. */
export function themeSheetUrl(sheet: string): string | null {
  return sheet === '' ? null : urls.themeSheet(shortDigest(sheet))
}

/** The letters that come with the shop, which headings and text are set in unless the merchant names others. */
const shipped = { '--serif': 'Petrona', '--sans': 'Figtree' } as const

/**
 * The files of the letters that a page begins with: of the shop's own those that are still in use, and the merchant's.
 * @param fonts addresses of the shop's own, which hold the name of the family
 */
export function preloadedFonts(
  fonts: readonly string[],
  { theme }: Pick<Tools['settings'], 'theme'>,
  files: Tools['files'],
): readonly string[] {
  const familyOf = (name: keyof typeof shipped): string => {
    const value = (theme.tokens[name] ?? shipped[name]).trim()
    const [, other] = /^var\((--serif|--sans)\)$/.exec(value) ?? []
    const list =
      other === undefined || other === name ? value : (theme.tokens[other as '--sans'] ?? shipped[other as '--sans'])
    return (list.split(',')[0] ?? '').trim().replace(/^["']|["']$/g, '')
  }
  const families = [...new Set([familyOf('--serif'), familyOf('--sans')])]
  return families.flatMap((family) => {
    const own = theme.fonts.find((font) => font.family === family && font.style === 'normal')
    const kept = storedAssetOf(files, own?.file, 'font')
    if (kept) return urls.themeFile(kept.hash, 'woff2')
    return fonts.filter((address) => address.toLowerCase().includes(`/${family.toLowerCase()}-`))
  })
}

/** The merchant's sheet. */
export async function themeSheetAnswer({ tools }: Application, digest: string): Promise<Response> {
  const sheet = themeSheet(tools.settings, tools.files)
  // A page of a moment ago, or of a process that was told of a change earlier, is better styled by this one than not at all.
  const isThis = shortDigest(sheet) === digest
  return new Response(sheet, {
    headers: {
      'Content-Type': 'text/css; charset=UTF-8',
      'Cache-Control': isThis ? 'public, max-age=31536000, immutable' : 'no-store',
    },
  })
}

/** A logo, an icon, or letters, as the merchant's file has them. */
export function themeFileAnswer(app: Application, request: Request, name: string): Promise<Response> {
  return fileAnswer(app, request, `${app.mediaFolder}/${name}`, 'public, max-age=31536000, immutable')
}
