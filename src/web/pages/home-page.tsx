import { urls } from '#contract/urls.ts'
import type { CategoryFacts, HomeFacts, ImageFacts, ProductCardFacts } from '#shop/catalog-facts.ts'
import { Picture } from '../parts/picture.tsx'
import { ProductGrid } from '../parts/product-card.tsx'
import { useShop } from '../parts/shop-context.tsx'

/** What the shop says first. */
export type HeroFacts = {
  title: string
  text: string
  image: ImageFacts | null
  linkText?: string
  linkUrl?: string
}

/** The front page. */
export function HomePage({ facts, hero }: { facts: HomeFacts; hero: HeroFacts }) {
  const { t } = useShop()
  return (
    <>
      <section className={hero.image ? 'hero hero--picture' : 'hero'}>
        {hero.image && (
          <Picture image={hero.image} sizes="(min-width: 64rem) 60vw, 100vw" priority="first" fallbackWidth={960} />
        )}
        <div className="hero__words">
          <h1>{hero.title}</h1>
          {hero.text && <p>{hero.text}</p>}
          <a className="button alt" href={hero.linkUrl ?? urls.shop()}>
            {hero.linkText ?? t('Shop all products')}
          </a>
        </div>
      </section>
      <CategoryTiles categories={facts.categories} />
      <Row title={t('Chosen for you')} products={facts.featured} />
      <Row title={t('New in the shop')} products={facts.newest} more={urls.shop({ orderby: 'date' })} />
      <Row title={t('On sale')} products={facts.onSale} />
    </>
  )
}

function CategoryTiles({ categories }: { categories: readonly CategoryFacts[] }) {
  const { t } = useShop()
  if (categories.length === 0) return null
  return (
    <section className="home-section">
      <h2>{t('Shop by category')}</h2>
      <ul className="category-tiles">
        {categories.map((category) => (
          <li key={category.id}>
            <a href={category.url}>
              {category.image ? (
                <Picture image={category.image} sizes="(min-width: 64rem) 23vw, 46vw" fallbackWidth={320} decorative />
              ) : (
                <span className="picture picture-none" />
              )}
              <span className="category-tiles__name">{category.name}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Row({ title, products, more }: { title: string; products: readonly ProductCardFacts[]; more?: string }) {
  const { t } = useShop()
  if (products.length === 0) return null
  return (
    <section className="home-section">
      <div className="home-section__head">
        <h2>{title}</h2>
        {more && <a href={more}>{t('See all')}</a>}
      </div>
      <ProductGrid products={products} belowFold />
    </section>
  )
}
