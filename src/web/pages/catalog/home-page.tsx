import { urls } from '#contract/shared/urls.ts'
import { message } from '#domain/translation/message.ts'
import type { HomeFacts, HomeSectionFacts, LinkFacts, ShelfName } from '#shop/content/home-facts.ts'
import { CategoryTiles } from '../../parts/catalog/category-tiles.tsx'
import { ProductGrid } from '../../parts/catalog/product-card.tsx'
import { classNames } from '../../parts/shared/class-names.ts'
import { Html } from '../../parts/shared/html.tsx'
import { Picture } from '../../parts/shared/picture.tsx'
import { useShop } from '../../parts/shared/shop-context.tsx'

type Facts<Kind extends HomeSectionFacts['kind']> = Extract<HomeSectionFacts, { kind: Kind }>

/** The front page: sections in the merchant's order. */
export function HomePage({ facts: { sections } }: { facts: HomeFacts }) {
  const { name } = useShop()
  const titled = sections.findIndex(({ kind }) => kind === 'hero')
  return (
    <>
      {titled < 0 && <h1 className="screen-reader-text">{name}</h1>}
      {sections.map((section, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the page is rendered once, and its place identifies a section.
        <Section key={at} section={section} first={at === 0} titlesPage={at === titled} />
      ))}
    </>
  )
}

/** @param first visible without scrolling */
function Section({ section, first, titlesPage }: { section: HomeSectionFacts; first: boolean; titlesPage: boolean }) {
  switch (section.kind) {
    case 'hero':
      return <Hero facts={section} first={first} titlesPage={titlesPage} />
    case 'categories':
      return <Categories facts={section} />
    case 'products':
      return <Products facts={section} first={first} />
    case 'picture':
      return <PictureWithWords facts={section} first={first} />
    case 'text':
      return <Text facts={section} />
    case 'quote':
      return <Quote facts={section} />
    case 'banner':
      return <Banner facts={section} />
  }
}

function Hero({ facts, first, titlesPage }: { facts: Facts<'hero'>; first: boolean; titlesPage: boolean }) {
  const { t } = useShop()
  const { title, text, image, link } = facts
  const Title = titlesPage ? 'h1' : 'h2'
  return (
    <section className={classNames('hero', image && 'hero--picture')}>
      {image && (
        <Picture
          image={image}
          sizes="(min-width: 48rem) 60vw, 100vw"
          priority={first ? 'first' : 'later'}
          fallbackWidth={960}
        />
      )}
      <div className="hero__words">
        <Title>{title}</Title>
        {text && <p>{text}</p>}
        <a className="button alt" href={link?.url ?? urls.shop()}>
          {link?.text ?? t('Shop all products')}
        </a>
      </div>
    </section>
  )
}

function Categories({ facts: { title, categories } }: { facts: Facts<'categories'> }) {
  const { t } = useShop()
  return (
    <section className="home-section">
      <h2>{title || t('Shop by category')}</h2>
      <CategoryTiles categories={categories} />
    </section>
  )
}

/** Titles of the shop's own product sections, and their links to more. */
const shelves: Readonly<Record<ShelfName, { title: string; more?: string }>> = {
  featured: { title: message('Chosen for you') },
  newest: { title: message('New in the shop'), more: urls.shop({ orderby: 'date' }) },
  sale: { title: message('On sale'), more: urls.shop({ filter_on_sale: '1' }) },
  popular: { title: message('What others like'), more: urls.shop({ orderby: 'popularity' }) },
  rated: { title: message('Best rated'), more: urls.shop({ orderby: 'rating' }) },
}

function Products({ facts: { title, shelf, products, link }, first }: { facts: Facts<'products'>; first: boolean }) {
  const { t } = useShop()
  const own = shelf && shelves[shelf]
  const name = title || (own ? t(own.title) : t('Products'))
  const more = link ?? (own?.more ? { text: t('See all'), url: own.more } : null)
  return (
    <section className="home-section">
      <div className="home-section__head">
        <h2>{name}</h2>
        {more && <a href={more.url}>{more.text}</a>}
      </div>
      <ProductGrid products={products} belowFold={!first} />
    </section>
  )
}

function PictureWithWords({ facts, first }: { facts: Facts<'picture'>; first: boolean }) {
  const { title, html, image, link, side } = facts
  return (
    <section className={classNames('home-section home-picture', side === 'end' && 'home-picture--end')}>
      <Picture image={image} sizes="(min-width: 48rem) 50vw, 100vw" priority={first ? 'first' : 'later'} />
      <div className="home-words">
        {title && <h2>{title}</h2>}
        {html && <Html as="div" html={html} />}
        <Onward link={link} />
      </div>
    </section>
  )
}

function Text({ facts: { title, html, writtenIn } }: { facts: Facts<'text'> }) {
  return (
    <section className="home-section home-words home-text" {...writtenIn}>
      {title && <h2>{title}</h2>}
      <Html as="div" html={html} />
    </section>
  )
}

function Quote({ facts: { text, by } }: { facts: Facts<'quote'> }) {
  return (
    <figure className="home-section home-quote">
      <blockquote>
        <p>{text}</p>
      </blockquote>
      {by && <figcaption>{by}</figcaption>}
    </figure>
  )
}

function Banner({ facts: { title, text, link } }: { facts: Facts<'banner'> }) {
  return (
    <section className="home-section home-banner">
      <div className="home-words">
        <h2>{title}</h2>
        {text && <p>{text}</p>}
      </div>
      <Onward link={link} />
    </section>
  )
}

function Onward({ link }: { link: LinkFacts | null }) {
  if (!link) return null
  return (
    <p>
      <a className="button" href={link.url}>
        {link.text}
      </a>
    </p>
  )
}
