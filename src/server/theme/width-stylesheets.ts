import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { urls } from '#contract/shared/urls.ts'
import { type HeaderSettings, headerSettings } from '#contract/theme/header-settings.ts'
import { acceptedEncoding, compress } from '../http/compression.ts'
import type { Application } from '../operations/startup/application.ts'

/**
 * Media queries cannot use custom properties for the widths at which the header changes. A shop with other widths gets
 * the build's main stylesheet with the widths replaced, under a URL with both widths and the build's name.
 */

type Widths = HeaderSettings['breakPoints']

const usual: Widths = headerSettings.parse({}).breakPoints

/** Returns the URLs of a page's stylesheets for those widths. */
export function sheetsFor(css: readonly string[], widths: Widths): readonly string[] {
  if (widths.desktop === usual.desktop && widths.tablet === usual.tablet) return css
  return css.map((address) => {
    const [, name] = /^\/assets\/((?:main|languages)-[\w-]+\.css)$/.exec(address) ?? []
    return name === undefined ? address : urls.widthSheet(widths.desktop, widths.tablet, name)
  })
}

/** Replaces the header's widths in a stylesheet. The build writes a range as `(width>=1024px)`. */
export function withWidths(sheet: string, { desktop, tablet }: Widths): string {
  const own = new Map([
    [usual.desktop, desktop],
    [usual.tablet, tablet],
  ])
  return sheet.replace(
    /\((width[<>]=?|(?:min|max)-width:)\s*(\d+)px\)/g,
    (_, side: string, px: string) => `(${side}${own.get(Number(px)) ?? px}px)`,
  )
}

/** Serves only the widths of the settings: others would let any visitor cause the work. */
export async function widthSheetAnswer(
  app: Application,
  request: Request,
  asked: string,
  name: string,
): Promise<Response> {
  const widths = app.tools.settings.theme.header.breakPoints
  const sheet = await readFile(join(app.clientFolder, 'assets', name), 'utf8').catch(() => null)
  if (sheet === null) return new Response('not found', { status: 404 })
  const isThis = asked === `${widths.desktop}-${widths.tablet}`
  const encoding = acceptedEncoding(request.headers.get('accept-encoding'))
  const body = await compress(Buffer.from(withWidths(sheet, widths)), encoding)
  return new Response(body, {
    headers: {
      'Content-Type': 'text/css; charset=UTF-8',
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
      Vary: 'Accept-Encoding',
      'Cache-Control': isThis ? 'public, max-age=31536000, immutable' : 'no-store',
    },
  })
}
