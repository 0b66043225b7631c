def price(count)
  if count > 2
    return count * 9
  end
  count * 10
end

def fail_page
  raise "ruby fails"
end
