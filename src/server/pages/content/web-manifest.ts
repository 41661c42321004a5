import { urls } from '#contract/shared/urls.ts'
import { schemeColours } from '#contract/theme/scheme-colours.ts'
import { cachedText } from '../../cache/cached-text.ts'
import type { Visit } from '../../http/visit.ts'

/** What a phone needs to put the shop on its first screen. */
export function webManifest(visit: Visit): Promise<Response> {
  return cachedText(visit, { key: urls.manifest(), type: 'application/manifest+json', maxAge: 3600 }, async () => {
    const { app } = visit
    const { settings } = app.tools
    const { icon, dir, path, tagline } = await app.shop()
    const ground = schemeColours(settings.theme, 'light')['--ground']
    const shipped = [192, 512].map((size) => ({
      src: urls.icon(`icon-${size}.png`),
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: 'any maskable',
    }))
    return JSON.stringify({
      name: settings.name,
      short_name: settings.name.slice(0, 12).trim(),
      ...(tagline ? { description: tagline } : {}),
      lang: settings.language,
      dir,
      // One app, whatever language it begins in.
      id: urls.home(),
      start_url: path(urls.home()),
      // Who changes the language is still in the shop.
      scope: urls.home(),
      display: 'minimal-ui',
      background_color: ground,
      theme_color: ground,
      icons: icon ? [{ src: icon.url, sizes: 'any', type: icon.type }] : shipped,
    })
  })
}
