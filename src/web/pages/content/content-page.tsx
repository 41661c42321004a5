import type { WrittenIn } from '#shop/content/home-facts.ts'
import { Html } from '../../parts/shared/html.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

/** A heading of the text that can be linked. */
export type ContentHeading = { id: string; text: string; level: number }

export type ContentPageProps = {
  title: string
  /** A summary below the title. */
  intro?: string
  /** Rendered from the merchant's own Markdown, in which markup is text. */
  html: string
  headings?: readonly ContentHeading[]
  /** Set if the text is in another language than the page around it. */
  writtenIn?: WrittenIn | null
}

/** A text with this many chapters has a table of contents. */
const LONG = 5

/** A static page: about the shop, its terms, its contact data. */
export function ContentPage({ title, intro, html, headings = [], writtenIn }: ContentPageProps) {
  const chapters = headings.filter(({ level }) => level === 2)
  const long = chapters.length >= LONG
  return (
    <article className={long ? 'content-page content-page--long' : 'content-page'} {...writtenIn}>
      <header className="content-page__head">
        <h1 className="entry-title">{title}</h1>
        {intro && <p className="content-page__intro">{intro}</p>}
      </header>
      {long && <Chapters chapters={chapters} />}
      <Html className="entry-content" html={html} />
    </article>
  )
}

function Chapters({ chapters }: { chapters: readonly ContentHeading[] }) {
  const { t } = useShop()
  return (
    <nav className="content-index" aria-labelledby="on-this-page">
      <h2 id="on-this-page">{t('On this page')}</h2>
      <ol>
        {chapters.map(({ id, text }) => (
          <li key={id}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
