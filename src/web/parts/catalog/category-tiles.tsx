import type { CategoryFacts } from '#shop/catalog/catalog-facts.ts'
import { Picture } from '../shared/picture.tsx'

/** Categories as linked images: above a list of products they are only as large as their names need. */
export function CategoryTiles({
  categories,
  small = false,
}: {
  categories: readonly CategoryFacts[]
  small?: boolean
}) {
  return (
    <ul className="category-tiles">
      {categories.map((category) => (
        <li key={category.id} className="product-category">
          <a href={category.url}>
            {category.image ? (
              <Picture
                image={category.image}
                sizes={small ? '4rem' : '(min-width: 48rem) 23vw, 42vw'}
                fallbackWidth={320}
                priority={small ? 'visible' : 'later'}
                decorative
              />
            ) : (
              <span className="picture picture-none" />
            )}
            <span className="category-tiles__name">{category.name}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
