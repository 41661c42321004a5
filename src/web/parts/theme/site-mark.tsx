import { useShop } from '../shared/shop-context.tsx'

/** The shop's logo, or its name. */
export function SiteMark() {
  const { logo, name } = useShop()
  if (!logo) return name
  const { url, darkUrl, width, height, alt } = logo
  return (
    <picture>
      {darkUrl && <source media="(prefers-color-scheme: dark)" srcSet={darkUrl} />}
      <img className="site-logo" src={url} width={width} height={height} alt={alt} />
    </picture>
  )
}
