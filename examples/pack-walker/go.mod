module example.com/packwalker

go 1.22
