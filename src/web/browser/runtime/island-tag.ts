export const islandTag = 'vitrine-island'
