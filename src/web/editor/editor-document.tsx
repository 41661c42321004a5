import type { ReactNode } from 'react'
import { urls } from '#contract/shared/urls.ts'
import { editorElementId } from '#contract/translation/editor.ts'
import { jsonForScript } from '../pages/shared/json-for-script.ts'
import { Html } from '../parts/shared/html.tsx'
import { useShop } from '../parts/shared/shop-context.tsx'

export type EditorDocumentFacts = {
  readonly title: string
  readonly css: readonly string[]
  readonly script: string
  /** Facts for the scripts. */
  readonly facts: unknown
  /** Id of the facts element; default: the editor's. */
  readonly factsId?: string
  /** Class of the body: `editor` fills the window, `editor-texts` and `stat-page` scroll. */
  readonly className: string
}

/** A staff page: the shop's fonts and colours, without its frame. */
export function EditorDocument({ frame, children }: { frame: EditorDocumentFacts; children: ReactNode }) {
  const { language, dir, name, themeSheet } = useShop()
  return (
    <html lang={language} dir={dir}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${frame.title} – ${name}`}</title>
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={urls.icon('favicon.svg')} type="image/svg+xml" />
        {frame.css.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {themeSheet && <link rel="stylesheet" href={themeSheet} />}
        {frame.script && <script type="module" src={frame.script} />}
      </head>
      <body className={frame.className}>
        {children}
        <Html
          as="script"
          type="application/json"
          id={frame.factsId ?? editorElementId}
          html={jsonForScript(frame.facts)}
        />
      </body>
    </html>
  )
}
