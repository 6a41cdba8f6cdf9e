-- params: none
-- typed: vocabulary CodedColumn from ./vocabularies.ts
SELECT vocabulary, value, meaning FROM registry_word
