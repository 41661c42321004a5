import { Html } from '../parts/html.tsx'

/** A page of text. `html` comes from the merchant. */
export function ContentPage({ title, html }: { title: string; html: string }) {
  return (
    <article className="content-page">
      <h1 className="entry-title">{title}</h1>
      <Html className="entry-content" html={html} />
    </article>
  )
}
