import { urls } from '#contract/shared/urls.ts'
import { schemeColours } from '#contract/theme/scheme-colours.ts'
import { cachedText } from '../../cache/cached-text.ts'
import type { Visit } from '../../http/visit.ts'

/** Answers with the web app manifest, by which phones install the shop. */
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
      // One app for all languages.
      id: urls.home(),
      start_url: path(urls.home()),
      // All languages are within the scope.
      scope: urls.home(),
      display: 'minimal-ui',
      background_color: ground,
      theme_color: ground,
      icons: icon ? [{ src: icon.url, sizes: 'any', type: icon.type }] : shipped,
    })
  })
}
