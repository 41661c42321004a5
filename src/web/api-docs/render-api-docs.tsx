import { renderToStaticMarkup } from 'react-dom/server'
import { urls } from '#contract/shared/urls.ts'

/** Returns the page that shows the API's description, in English as all of it. */
export function renderApiDocs(
  shopName: string,
  { script, css }: { readonly script: string; readonly css: readonly string[] },
): string {
  const title = `${shopName}: REST API`
  const html = renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        {css.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        <script type="module" src={script} />
      </head>
      <body>
        <main id="api-docs" data-document={urls.rest('openapi.json')}>
          <h1>{title}</h1>
          <p>
            <a href={urls.rest('openapi.json')}>OpenAPI 3.1 document</a>
          </p>
        </main>
      </body>
    </html>,
  )
  return `<!doctype html>${html}`
}
